"""Exercise 01e: the comparison of two vector stamps."""

from html import escape

from .... import show as drawing
from ..cases import CasesTask
from .runs import PAIRS, small_runs

WORDS = ("before", "after", "concurrent", "same")
MEANING = {
    "before": "it happened before the other: there is a path from it to the other",
    "after": "it happened after the other: there is a path from the other to it",
    "concurrent": "there is no path between them in either direction",
    "same": "they are one and the same event",
}
EXAMPLE = (PAIRS, 2, 5)


def pairs():
    """Return (run, one, other) for pairs of events, no two pairs with the same vectors, from the smallest runs on."""
    seen = {}
    for run in [*small_runs(90), PAIRS]:
        for one in range(len(run)):
            for other in range(len(run)):
                vectors = [tuple(sorted(run.vectors[place].items())) for place in (one, other)]
                seen.setdefault(tuple(vectors), (run, one, other))
    return list(seen.values())


def relation(run, one, other):
    """Return the word for how two events of a run stand to each other."""
    return run.relation(one, other)


def objection(run, one, other, said):
    """Return a sentence on what is wrong with one comparison, or None."""
    expected, called = run.relation(one, other), _called(run, one, other)
    if said == expected:
        return None
    if said not in WORDS:
        return f"{called} gives {said!r}; it gives one of {', '.join(map(repr, WORDS))}."
    names = f"{run.name(one)} and {run.name(other)}"
    return (
        f"{called} gives {said!r}, and it should be {expected!r}: these are the stamps of {names}, and of the first "
        f"it holds that {MEANING[expected]}.{_missing(run, one, other)}"
    )


def _called(run, one, other):
    return f"compare({run.vectors[one]}, {run.vectors[other]})"


def _missing(run, one, other):
    if set(run.vectors[one]) == set(run.vectors[other]):
        return ""
    return " A process that a stamp does not name counts as 0."


def drawn(run, one, other, said=None):
    """Return the picture of two events with their vectors."""
    vectors = [", ".join(f"{process}:{time}" for process, time in vector.items()) for vector in run.vectors]
    return drawing.history(run, marked={place: vectors[place] for place in (one, other)})


def sketch(told):
    """Draw two events with their vectors, and say how this function compares them."""
    words = "Not compared yet."
    for fine, said in told or ():
        words = f"{_called(*EXAMPLE)} {'gives' if fine else 'fails with'} {said}"
    picture = drawn(*EXAMPLE)
    return drawing.Picture(f"{picture.html}<p>{escape(words)}</p>", picture.table, words)


TASK = CasesTask(
    title="write a vector clock's comparison",
    answer="compare",
    signature="a function of two vector stamps",
    cases=pairs,
    arguments=lambda run, one, other: [dict(run.vectors[one]), dict(run.vectors[other])],
    oracle=relation,
    objection=objection,
    fails=lambda *case: f"{_called(*case[:3])} fails with {case[3]}.{_missing(*case[:3])}",
    draw=drawn,
    sketch=sketch,
    praise="It decides all {count} pairs as the paths do.",
    example=EXAMPLE,
    hints=(
        "What does it mean for one event to know all that the other knows? Compare entry by entry.",
        "First a helper: is every entry of one at most the same entry of the other? A process that is missing in a "
        "row counts as 0: row.get(process, 0).",
        "Ask the helper in both directions. There are four combinations of yes and no, and four words.",
        "yes and yes: the rows are equal, so it is the same event. Yes from one to other only: before. The other way "
        "only: after. Neither: concurrent.",
    ),
)
