"""Four real processes in conversation, each with a wall clock that is wrong on purpose; and their events in order.

The processes are tasks of the cluster. A Lamport clock of each travels in its messages.
"""

import random
import time
from dataclasses import dataclass

import pandas

from ...clocks import Event, History, LamportClock
from ...errors import BadInput, whole
from ...faults import FaultPlan
from ...node import Node
from ...node.node import Handler
from ...verdict import Run
from . import experiment

SKEW = (0, 4, -3, 7)  # minutes by which each process's wall clock is wrong at the start
DRIFT = (0, 2, 5, -0.01)  # minutes that it gains with every second
MOST_OF_A_ROUND = 3  # actions of one process
PACE = 0.002  # s between two actions of a process, on average


@dataclass(frozen=True)
class Conversation:
    """The events of the processes: `history`, and `table` with their stamps and clocks, a row for each place.

    The columns of `table`: `process`; `event`, its number there from 1; `kind`; `message`; `stamp`, by the Lamport
    clock that travelled in the messages; `clock`, by the process's own wrong wall clock.
    """

    history: History
    table: pandas.DataFrame
    seconds: float


class WallClock:
    """A wall clock that is wrong: `skew` minutes at its start, and `drift` minutes more with every second."""

    def __init__(self, skew: float, drift: float) -> None:
        self._set, self._began, self._rate = time.time() + 60 * skew, time.monotonic(), 1 + 60 * drift

    def read(self) -> int:
        """Return microseconds since 1970, as this clock has it."""
        return int(1e6 * (self._set + (time.monotonic() - self._began) * self._rate))


def exchange_messages(rounds: int = 20, seed: int = 1) -> Conversation:
    """Let four processes, tasks of the cluster, exchange messages. Returns a `Conversation`.

    rounds: in each, every process does one to three things, local or a send, and then waits for what was sent to it.
    seed: decides their actions; who is faster, and so the order of arrival, is up to the machine.

    Takes some seconds. Raises `BadInput` for numbers that make no sense, and as `run_on_cluster` does.
    """
    whole("rounds", rounds, least=1, most=200)
    whole("seed", seed)
    programs = {"four processes": [talking(rounds, seed)] * len(SKEW)}
    return experiment(programs, FaultPlan(), _conversation)["four processes"]


def plan(rounds: int, seed: int) -> list[dict[int, list[int | None]]]:
    """Return for each round, for each process, its actions: None (local), or the number of the process to send to."""
    draw, processes = random.Random(f"conversation {seed}"), range(1, len(SKEW) + 1)
    return [
        {
            one: [
                draw.choice([None, *(other for other in processes if other != one)])
                for _ in range(draw.randint(1, MOST_OF_A_ROUND))
            ]
            for one in processes
        }
        for _ in range(rounds)
    ]


def talking(rounds: int, seed: int) -> Handler:
    """Return the program of each process: it pushes its events, (kind, message, stamp, wrong time), at its end."""
    asked = plan(rounds, seed)

    def talk(node: Node) -> None:
        stamps, wall = LamportClock(), WallClock(SKEW[node.number - 1], DRIFT[node.number - 1])
        pauses, events, heard, due = random.Random(f"{seed} pauses {node.number}"), [], 0, 0
        for actions in asked:
            for to in actions[node.number]:
                if to is None:
                    events.append(["local", None, stamps.local(), wall.read()])
                else:
                    message, stamp = f"p{node.number}-{len(events) + 1}", stamps.send()
                    events.append(["send", message, stamp, wall.read()])
                    node.send(to, [message, stamp])
                time.sleep(pauses.random() * 2 * PACE)
            due += sum(each.count(node.number) for each in actions.values())
            while heard < due:
                _, (message, stamp) = node.receive()
                events.append(["receive", message, stamps.receive(stamp), wall.read()])
                heard += 1
        node.output.push([node.number, events])

    return talk


def _conversation(_: object, run: Run) -> Conversation:
    """Return the events that the processes of a run have pushed, in the order of their stamps."""
    rows = [
        (f"p{number}", place, *event)
        for number, events in (push.value for push in run.pushes)
        for place, event in enumerate(events, 1)
    ]
    rows.sort(key=lambda row: (row[4], row[0]))
    table = pandas.DataFrame(rows, columns=["process", "event", "kind", "message", "stamp", "clock"])
    table["clock"] = pandas.to_datetime(table["clock"], unit="us")
    history = History(Event(process, kind, message) for process, _, kind, message, _, _ in rows)
    return Conversation(history, table, run.seconds)


def effects_before_causes(table: pandas.DataFrame) -> pandas.DataFrame:
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
