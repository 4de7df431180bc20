"""Gap 03-position-first: a consumer that counts nothing twice."""

from ...tasks.reply import right, unsolved, wrong
from ..registry import Gap
from ..sides import both, broken, calm, failed

RECORDS = 3
CASES = {
    "The consumer or the producer dies once": {"crashes": 1},
    "One reply is lost": {"lost_replies": 1},
}
TWO_FAULTS = {"One request is lost, and a side dies once": {"lost_requests": 1, "crashes": 1}}


def position_first(node):
    """Save the position, and let the records take effect then: at-most-once."""
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.positions.save(positions)
        for item in items:
            node.database.increment(item.key)


def counted(view):
    """Return how many effects there are, over both keys."""
    return sum(view.look("database", f"counter.{key}", "table") for key in ("north", "south"))


def nothing_twice(view):
    """No more is counted than there is in the log."""
    found, there = counted(view), len(view.outputs)
    return found <= there or f"the counters come to {found}, and the log holds {there} records"


def check(answer):
    """Prove that the consumer never counts more than there is in the log."""
    programs = both(answer, RECORDS)
    run = calm(programs)
    if refused := failed(run, programs):
        return refused
    effects = [entry for entry in run.writes if entry.part.startswith("counter")]
    if not effects:
        return unsolved("your lines")
    keys = [entry.part.partition(".")[2] for entry in effects]
    if keys != ["north", "south", "north"]:
        said = ", ".join(keys)
        return wrong(
            f"With nothing lost and nobody killed, records 1 to 3 count for {said}; each counts once, for its own "
            "key: north, south, north.",
            run,
            programs,
        )
    # For two faults one record is enough, and more would take a second.
    found = broken(programs, nothing_twice, **CASES) or broken(both(answer, 1), nothing_twice, **TWO_FAULTS)
    return found or right(
        "No record is counted twice, wherever a side dies once and a request or a reply is lost. What it costs is a "
        "question of the next section."
    )


GAP = Gap(
    title="count nothing twice",
    judge=check,
    library=position_first,
    hints=(
        "When `position_last` dies between its effect and its save, the next life does the effect again. What must "
        "be in the store before the effect takes place?",
        "The lines are those of `position_last`. Two of its steps change places.",
        "`node.positions.save(positions)` comes first, and below it the loop `for item in items:` and its increment.",
    ),
)
