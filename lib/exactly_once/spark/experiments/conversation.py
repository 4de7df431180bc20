"""Four real processes in conversation, each with a wall clock that is wrong on purpose; and their events in order.

The processes are tasks of the cluster, and talk over sockets. They tell each other their ports by files in the run's
folder. The meeting of Spark's barrier tasks, `allGather`, takes a second for that, and a worker that is killed in a
barrier stage can hang its job.
"""

import json
import random
import re
import secrets
import selectors
import socket
import time
from dataclasses import dataclass
from typing import NamedTuple

import pandas

from ...clocks import Event, History, LamportClock
from ...errors import BadInput, CourseError, is_number, whole
from ..run.tasks import SparkTask, with_slots
from ..task.folder import RunFolder

SETTLING = 10  # s more than a process may take, for the start of the tasks and the exchange of ports
CLOSED = re.compile("hung up|reset|refused|Broken pipe")  # by the other process
SKEW = (0, 4, -3, 7)  # minutes by which each process's wall clock is wrong at the start
DRIFT = (0, 2, 5, -0.01)  # minutes that it gains with every second
LOOPBACK = "127.0.0.1"
MOST_OF_A_ROUND = 3  # actions of one process
LONGEST_LINE = 1_000  # bytes
LOOK_SECONDS = 0.005  # between two looks for an address


@dataclass(frozen=True)
class Conversation:
    """The events of the processes: `history`, and `table` with their stamps and clocks, a row for each place.

    The columns of `table`: `process`; `event`, its number there from 1; `kind`; `message`; `stamp`, by the Lamport
    clock that travelled in the messages; `clock`, by the process's own wrong wall clock.
    """

    history: History
    table: pandas.DataFrame
    seconds: float


def exchange_messages(rounds=20, seed=1, spark=None, patience=30.0, pace=0.002):
    """Let four processes, tasks of the cluster, exchange messages over sockets. Returns a `Conversation`.

    rounds: in each, every process does one to three things, local or a send, and then waits for what was sent to it.
    seed: decides their actions; who is faster, and so the order of arrival, is up to the machine. patience: seconds
    that the processes may take. pace: seconds between two actions of a process, on average. spark: a session with
    four places for tasks. Default: `cluster(slots=4)`.

    Takes 1 s. Raises `BadInput` for numbers that make no sense and a session with too few places, `CourseError` when
    the processes are not through in time.
    """
    whole("rounds", rounds, least=1, most=10_000)
    whole("seed", seed)
    for what, seconds, most in (("patience", patience, 3_600), ("pace", pace, 60)):
        if not is_number(seconds) or not 0 < seconds <= most:
            raise BadInput(f"{what} is {seconds!r}; it is a number of seconds above 0, up to {most}.")
    spark = with_slots(spark, len(SKEW))  # else Spark would wait ten minutes before it says so
    secret, began = secrets.token_hex(8), time.perf_counter()
    folder = RunFolder.make("talk")
    roles = [
        PeerConfig(number, len(SKEW), rounds, seed, pace, SKEW[number], DRIFT[number], patience, secret, folder)
        for number in range(len(SKEW))
    ]
    try:
        histories = _wait(SparkTask(spark, roles, speak), patience)
    finally:
        folder.remove()
    return _conversation(histories, time.perf_counter() - began)


def _wait(task, patience):
    """Return the events of each process. Raises `CourseError` when one failed or the time is up."""

    def late():
        return CourseError(
            f"The processes were not through within {patience + SETTLING:g} s and were stopped. Another job may hold "
            "the cluster's places: stop it, or call stop_cluster() and run the cell again."
        )

    # Whatever they do: they have that long in all.
    endings = task.wait(patience + SETTLING, late, lambda: "as it was")
    failed = [found for kind, found in endings if kind == "failed"]
    if failed:
        first = min(failed, key=lambda one: bool(CLOSED.search(one)))  # who closed it had a reason, which says more
        raise CourseError(f"{first} Run the cell again; with more rounds, give more patience than {patience:g} s.")
    return [found for _, found in endings]


def _conversation(histories, seconds):
    rows = [
        (name(number), place, kind, message, stamp, clock)
        for number, events in enumerate(histories)
        for place, (kind, message, stamp, clock) in enumerate(events, 1)
    ]
    rows.sort(key=lambda row: (row[4], row[0]))
    table = pandas.DataFrame(rows, columns=["process", "event", "kind", "message", "stamp", "clock"])
    table["clock"] = pandas.to_datetime(table["clock"], unit="s").dt.floor("us")
    history = History(Event(process, kind, message) for process, _, kind, message, _, _ in rows)
    return Conversation(history, table, seconds)


def effects_before_causes(table):
    """Return the messages that a sorted table shows as received before they were sent: message, place of both rows.

    `table` is a pandas DataFrame with columns `kind` and `message`, its rows in the order that is in question.
    """
    if not isinstance(table, pandas.DataFrame) or not {"kind", "message"} <= set(table.columns):
        raise BadInput(f"The table is {type(table).__name__}; give a DataFrame with columns kind and message.")
    rows = table.reset_index(drop=True)
    sent, received = (
        rows[rows["kind"] == kind].reset_index(names=column)[["message", column]]
        for kind, column in (("receive", "received at row"), ("send", "sent at row"))
    )
    both = sent.merge(received, on="message")
    return both[both["received at row"] < both["sent at row"]].reset_index(drop=True)


class PeerConfig(NamedTuple):
    """The settings of one process: its number, the plan of the exchange, and the error of its clock."""

    number: int
    processes: int
    rounds: int
    seed: int
    pace: float  # s between two actions, on average
    skew: float  # minutes
    drift: float  # minutes a second
    patience: float  # s
    secret: str
    folder: RunFolder  # where each writes its port


class WallClock:
    """A wall clock that is wrong: `skew` minutes at its start, and `drift` minutes more with every second."""

    def __init__(self, skew, drift):
        self._set, self._began, self._rate = time.time() + 60 * skew, time.monotonic(), 1 + 60 * drift

    def read(self):
        """Return seconds since 1970, as this clock has it."""
        return self._set + (time.monotonic() - self._began) * self._rate


def name(number):
    """Return the name of process `number`, counted from 0: p1, p2, …"""
    return f"p{number + 1}"


def plan(role):
    """Return for each round, for each process, its actions: None (local), or the number of the process to send to."""
    return [[_actions(role, number, process) for process in range(role.processes)] for number in range(role.rounds)]


def _actions(role, number, process):
    draw = random.Random(f"{role.seed} {number} {process}")
    others = [other for other in range(role.processes) if other != process]
    return [draw.choice([None, *others]) for _ in range(draw.randint(1, MOST_OF_A_ROUND))]


def speak(roles):
    """Be one process, inside a task. Yields ("told", its events) or ("failed", a sentence)."""
    (role,) = roles
    try:
        yield "told", _speak(role)
    except (CourseError, OSError, ValueError) as why:  # an exception would make Spark try the task again, and again
        yield "failed", f"Process {name(role.number)} gave up: {why or type(why).__name__}."


def _speak(role):
    """Open a port, tell it to the others, connect to them, take part, and return the events."""
    if role.folder.files.exists(f"port-{role.number}"):
        raise ConnectionError("it died in the conversation, and the others know only the one that died")
    with socket.socket() as server:
        server.bind((LOOPBACK, 0))
        server.listen(role.processes)
        role.folder.files.replace(f"port-{role.number}", str(server.getsockname()[1]))
        peers = {}
        try:
            _connect(role, server, peers)
            return Peer(role, peers).run()
        finally:
            for peer in peers.values():
                peer.close()


def _port(role, number, deadline):
    """Return the port of process `number`, once it has told it."""
    while (told := role.folder.files.read(f"port-{number}")) is None:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{name(number)} was not there within {role.patience:g} s")
        time.sleep(LOOK_SECONDS)
    return int(told)


def _connect(role, server, peers):
    """Fill `peers` with a connection to every other process: to those after this one, from those before it."""
    deadline = time.monotonic() + role.patience
    for number in range(role.number + 1, role.processes):
        peers[number] = socket.create_connection((LOOPBACK, _port(role, number, deadline)), timeout=role.patience)
        peers[number].sendall(f"{role.secret} {role.number}\n".encode())
    while len(peers) < role.processes - 1:
        server.settimeout(max(0.001, deadline - time.monotonic()))
        peer, _ = server.accept()
        peer.settimeout(max(0.001, deadline - time.monotonic()))
        secret, _, number = _first_line(peer).partition(" ")
        if secret != role.secret:  # some other program
            peer.close()
            continue
        peers[int(number)] = peer


def _first_line(peer):
    line = b""
    while not line.endswith(b"\n") and len(line) < LONGEST_LINE:
        byte = peer.recv(1)
        if not byte:
            break
        line += byte
    return line.decode(errors="replace").rstrip("\n")


class Peer:
    """A process in conversation: its two clocks, its connections, and the events it has had."""

    def __init__(self, role, peers):
        self.role, self.peers = role, peers
        self.lamport, self.wall = LamportClock(), WallClock(role.skew, role.drift)
        self._plan = plan(role)
        self.events, self._received = [], dict.fromkeys(peers, 0)
        self._deadline = time.monotonic() + role.patience
        self._halves = dict.fromkeys(peers, b"")
        self._pauses = random.Random(f"{role.seed} pauses {role.number}")

    def run(self):
        """Go through the rounds: send messages, receive arrivals meanwhile, then wait for all messages that are due.

        Returns the events; an event is (kind, message, stamp, seconds by the wrong clock).
        """
        with selectors.DefaultSelector() as self._selector:
            for number, peer in self.peers.items():
                self._selector.register(peer, selectors.EVENT_READ, number)
            for done, actions in enumerate(self._plan, 1):
                for to in actions[self.role.number]:
                    self._act(to)
                    self._take(self._pauses.random() * 2 * self.role.pace)
                while missing := [peer for peer in self.peers if self._received[peer] < self._due(peer, done)]:
                    if time.monotonic() > self._deadline:
                        raise TimeoutError(
                            f"in round {done} no message came from {name(missing[0])} within {self.role.patience:g} s"
                        )
                    self._take(0.1)
        return self.events

    def _act(self, to):
        if to is None:
            self._note("local", None, self.lamport.local())
            return
        message = f"{name(self.role.number)}-{len(self.events) + 1}"
        stamp = self.lamport.send()
        self._note("send", message, stamp)
        self.peers[to].settimeout(self.role.patience)
        self.peers[to].sendall(json.dumps([message, stamp]).encode() + b"\n")

    def _take(self, seconds):
        """Wait up to `seconds` for messages, and receive those that have come."""
        for key, _ in self._selector.select(seconds):
            found = key.fileobj.recv(65_536)
            if not found:
                if self._received[key.data] < self._due(key.data, self.role.rounds):
                    raise ConnectionError(f"{name(key.data)} hung up")
                self._selector.unregister(key.fileobj)
                continue
            *lines, self._halves[key.data] = (self._halves[key.data] + found).split(b"\n")
            for line in lines:
                message, stamp = json.loads(line)
                self._note("receive", message, self.lamport.receive(stamp))
                self._received[key.data] += 1

    def _due(self, peer, rounds):
        """Return how many messages `peer` sends to this process in the first `rounds` rounds."""
        return sum(actions[peer].count(self.role.number) for actions in self._plan[:rounds])

    def _note(self, kind, message, stamp):
        self.events.append((kind, message, stamp, self.wall.read()))
