"""One of several processes that exchange messages, as a task of the cluster, over sockets.

They tell each other their ports by files in the run's folder. The meeting of Spark's barrier tasks, `allGather`,
takes a second for that, and a worker that is killed in a barrier stage can hang its job.
"""

import json
import random
import selectors
import socket
import time
from typing import NamedTuple

from ...clocks import LamportClock
from ...errors import CourseError
from ..task.folder import RunFolder

LOOPBACK = "127.0.0.1"
MOST_OF_A_ROUND = 3  # actions of one process
LONGEST_LINE = 1_000  # bytes
LOOK_SECONDS = 0.005  # between two looks for an address


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
    if role.folder.files.exists(_told(role.number)):
        raise ConnectionError("it died in the conversation, and the others know only the one that died")
    with socket.socket() as server:
        server.bind((LOOPBACK, 0))
        server.listen(role.processes)
        role.folder.files.replace(_told(role.number), str(server.getsockname()[1]))
        peers = {}
        try:
            _connect(role, server, peers)
            return Peer(role, peers).run()
        finally:
            for peer in peers.values():
                peer.close()


def _told(number):
    """Return the file in which process `number` tells its port."""
    return f"port-{number}"


def _port(role, number, deadline):
    """Return the port of process `number`, once it has told it."""
    while (told := role.folder.files.read(_told(number))) is None:
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
