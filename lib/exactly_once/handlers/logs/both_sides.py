"""Both sides of a log: a producer's and a consumer's program, their faults, and what a run of them leaves.

Records from the producer's inputs go into the log, and some requests get no answer. After `OutcomeUnknown` a producer
can send again or give up, and after a crash the same: its position in its own inputs says from where the next
incarnation goes on. Both choose alike in both cases.

The consumer reads records in batches, applies their effects, and saves its position. Two choices determine the damage
of a crash: the position is saved before or after the effects, and an effect adds a value or overwrites the value
under a key. Source: the article on Kafka's delivery semantics, after the design section of Kafka's documentation,
4.6.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...errors import OutcomeUnknown, one_of, whole
from ...faults import FaultPlan
from ...lockfree.cas import insist
from ...node import LogSource, Numbers, Partition, Program


def attempt(operation, *arguments):
    """Ask once, and let the matter rest when no answer comes."""
    try:
        operation(*arguments)
    except OutcomeUnknown:
        return


def producer_that_retries(node):
    """Push each record until it is acknowledged, then note that it is sent: at-least-once."""
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        insist(node.output.push, items[0].value, items[0].key)
        insist(node.positions.save, next_positions)
        positions = next_positions


def producer_that_gives_up(node):
    """Note that the record is sent, then push it once, whatever the answer: at-most-once."""
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        insist(node.positions.save, next_positions)
        attempt(node.output.push, items[0].value, items[0].key)
        positions = next_positions


PRODUCERS = {"retry": producer_that_retries, "give up": producer_that_gives_up}


def add(node, item):
    """Count the record under its key: one more for each time that it is processed."""
    node.database.increment(item.key)


def overwrite(node, item):
    """Put the record's value under its key: whatever was there is gone."""
    version, _ = node.registers.read(item.key)
    node.registers.cas(item.key, version, item.value)


def fetch(node, positions, most):
    """Return (items, next positions) of up to `most` reads from `positions` on."""
    items = []
    for _ in range(most):
        if not node.running(positions):
            break
        found, positions = node.read(positions)
        items += found
    return items, positions


UPDATES = {"add": add, "overwrite": overwrite}
POSITIONS = ("first", "last")


def consumer(position="last", update="add", batch=1):
    """Return the handler of a consumer.

    `position` is "last" (process a batch, then save the position: at-least-once) or "first" (save, then process:
    at-most-once); `update` is "add" or "overwrite"; `batch` is how many reads go by from one save to the next, as
    consumers commit now and then and not after each record. Raises `BadInput` for anything else.
    """
    process = UPDATES[one_of("what an update does", update, UPDATES)]
    one_of("when the position is saved", position, POSITIONS)
    whole("the number of reads of a batch", batch, least=1)

    def position_last(node):
        positions = node.positions.load()
        while node.running(positions):
            items, positions = fetch(node, positions, batch)
            for item in items:
                process(node, item)
            node.positions.save(positions)

    def position_first(node):
        positions = node.positions.load()
        while node.running(positions):
            items, positions = fetch(node, positions, batch)
            node.positions.save(positions)
            for item in items:
                process(node, item)

    return position_last if position == "last" else position_first


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
