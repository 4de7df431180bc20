"""Both sides of a log at once: a producer's and a consumer's program, their faults, and what a run of them leaves."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...errors import one_of
from ...faults import FaultPlan
from ...node import LogSource, Numbers, Partition, Program
from .consumer import consumer
from .producer import PRODUCERS

KEYS = ("north", "south")
READINGS = Partition("readings")


def key_of(number: int, keys: Sequence[str] = KEYS) -> str:
    """Return the key of a record: the keys take turns."""
    return Numbers(1, keys).key_of(number)


def both_sides(
    retry: str = "retry",
    position: str = "last",
    update: str = "add",
    records: int = 6,
    batch: int = 3,
    keys: Sequence[str] = KEYS,
) -> list[Program]:
    """Return the programs of producer and consumer, for `simulate`, `prove` and the cluster alike.

    `retry` is "retry" or "give up", `position`, `update` and `batch` are as for `consumer`. Raises `BadInput` for
    settings that make no sense.
    """
    sends = PRODUCERS[one_of("what the producer does after an error", retry, PRODUCERS)]
    return [
        Program(sends, Numbers(records, keys), READINGS, "producer"),
        Program(consumer(position, update, batch), LogSource(READINGS), name="consumer"),
    ]


def both_plans(sending: FaultPlan | None, receiving: FaultPlan | None) -> FaultPlan:
    """Return the fault plans of the two sides as one: the producer is node 1, the consumer node 2."""
    sides = enumerate((sending, receiving), 1)
    return FaultPlan([replace(fault, node=node) for node, plan in sides if plan for fault in plan.faults])


def effects_of(run: Any) -> list[tuple[int, str, int]]:
    """Return (record, key, value of the key then) for each effect of a run, in order."""
    written = [entry for entry in run.writes if entry.part.startswith(("counter.", "register."))]
    return [(entry.item, entry.part.partition(".")[2], entry.value) for entry in written]


def right(update: str, records: int, keys: Sequence[str] = KEYS) -> dict[str, int]:
    """Return the right final value of each key: for "add" the number of records, for "overwrite" the newest."""
    numbers = {key: [n for n in range(1, records + 1) if key_of(n, keys) == key] for key in keys}
    return {key: len(found) if update == "add" else max(found, default=0) for key, found in numbers.items()}


def backward(applied: Iterable[tuple[int, str]]) -> list[tuple[str, int, int]]:
    """Return (key, from, to) for each time that an older record came back, of (number, key) in the order of
    writing.
    """
    held: dict[str, int] = {}
    found = []
    for number, key in applied:
        if number < held.get(key, 0):
            found.append((key, held[key], number))
        held[key] = number
    return found
