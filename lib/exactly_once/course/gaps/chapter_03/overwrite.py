"""Gap 03-overwrite: an update that may be done again."""

from ....handlers.logs.consumer import overwrite
from ....node import Numbers, Program
from ...tasks.chapter_03.e03c_newest import consumer_with
from ...tasks.reply import right, unsolved
from ..registry import Gap
from ..sides import broken, calm, failed

NEWEST = {"north": 3, "south": 2}
CASES = {
    "The consumer dies once": {"crashes": 1},
    "One request is lost": {"lost_requests": 1},
    "One reply is lost": {"lost_replies": 1},
}


def newest(view):
    """In the end each key's cell holds its newest record, and there are no other cells."""
    if view.done and view.registers != NEWEST:
        return f"{_cells(view.registers)}; in the end it should be {_cells(NEWEST)}"
    return True


def _cells(held):
    return ", ".join(f"{name!r} holds {held[name]}" for name in sorted(held, key=str)) or "there is no cell"


def check(answer):
    """Prove that repeating does no harm in the end."""
    program = Program(consumer_with(answer), Numbers(3), name="consumer")
    run = calm(program)
    if refused := failed(run, program):
        return refused
    if not run.writes or all(entry.part == "consumer.positions" for entry in run.writes):
        return unsolved("your lines")
    return broken(program, newest, **{"With nothing lost and nobody killed": {}} | CASES) or right(
        "In the end each key holds its newest record, however often a batch is done again. What is seen in the "
        "meantime is the next question."
    )


GAP = Gap(
    title="an update that may be done again",
    judge=check,
    library=overwrite,
    hints=(
        "The cell's name is the record's key. `cas` needs the version that the cell has now.",
        "`version, value = node.registers.read(item.key)` gives it. What was there before does not matter, so "
        "`value` is not used.",
        "Then `node.registers.cas(item.key, version, item.value)`. An error is let through: the life ends, and the "
        "next one does the batch again.",
    ),
)
