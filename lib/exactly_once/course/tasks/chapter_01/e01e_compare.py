"""Exercise 01e: the comparison of two vector stamps."""

from html import escape

from .... import show as drawing
from ....errors import BadInput
from ..reply import has_dots, right, unsolved, wrong
from ..run_answer import answers
from ..task import Task
from .runs import PAIRS, small_runs

WORDS = ("before", "after", "concurrent", "same")
MEANING = {
    "before": "it happened before the other: there is a path from it to the other",
    "after": "it happened after the other: there is a path from the other to it",
    "concurrent": "there is no path between them in either direction",
    "same": "they are one and the same event",
}


def pairs():
    """Return (run, one, other) for pairs of events, no two pairs with the same vectors, from the smallest runs on."""
    seen = {}
    for run in [*small_runs(90), PAIRS]:
        for one in range(len(run)):
            for other in range(len(run)):
                vectors = [tuple(sorted(run.vectors[place].items())) for place in (one, other)]
                seen.setdefault(tuple(vectors), (run, one, other))
    return list(seen.values())


def check(answer):
    """Try the function on pairs of events, those of the smallest runs first; the first wrong one is drawn."""
    if has_dots(answer):
        return unsolved("your function")
    tried = pairs()
    told = _told(answer, tried)
    if all(fine and said is None for fine, said in told):
        return unsolved("the body of your function")
    for (run, one, other), (fine, said) in zip(tried, told, strict=True):
        expected = run.relation(one, other)
        called = f"compare({run.vectors[one]}, {run.vectors[other]})"
        if not fine:
            return wrong(f"{called} fails with {said}.{_missing(run, one, other)}", picture=_drawn(run, one, other))
        if said != expected:
            return wrong(_reason(called, said, expected, run, one, other), picture=_drawn(run, one, other))
    return right(f"It decides all {len(tried)} pairs as the paths do.", picture=_drawn(PAIRS, 2, 5))


def _told(answer, tried):
    if not callable(answer):
        raise BadInput(f"The answer is {str(answer)[:60]!r}; it is a function of two vector stamps.")
    return answers(answer, [[dict(run.vectors[one]), dict(run.vectors[other])] for run, one, other in tried])


def _reason(called, said, expected, run, one, other):
    if said not in WORDS:
        return f"{called} gives {said!r}; it gives one of {', '.join(map(repr, WORDS))}."
    names = f"{run.name(one)} and {run.name(other)}"
    return (
        f"{called} gives {said!r}, and it should be {expected!r}: these are the stamps of {names}, and of the first "
        f"it holds that {MEANING[expected]}.{_missing(run, one, other)}"
    )


def _missing(run, one, other):
    if set(run.vectors[one]) == set(run.vectors[other]):
        return ""
    return " A process that a stamp does not name counts as 0."


def _drawn(run, one, other):
    vectors = [", ".join(f"{process}:{time}" for process, time in vector.items()) for vector in run.vectors]
    return drawing.history(run, marked={place: vectors[place] for place in (one, other)})


def show(answer):
    """Draw two events with their vectors, and say how this function compares them."""
    words = "Not compared yet."
    if not has_dots(answer):
        [(fine, said)] = _told(answer, [(PAIRS, 2, 5)])
        words = f"compare({PAIRS.vectors[2]}, {PAIRS.vectors[5]}) {'gives' if fine else 'fails with'} {said}"
    picture = _drawn(PAIRS, 2, 5)
    return drawing.Picture(f"{picture.html}<p>{escape(words)}</p>", picture.table, words)


TASK = Task(
    title="write a vector clock's comparison",
    show=show,
    check=check,
    hints=(
        "What does it mean for one event to know all that the other knows? Compare entry by entry.",
        "First a helper: is every entry of one at most the same entry of the other? A process that is missing in a "
        "row counts as 0: row.get(process, 0).",
        "Ask the helper in both directions. There are four combinations of yes and no, and four words.",
        "yes and yes: the rows are equal, so it is the same event. Yes from one to other only: before. The other way "
        "only: after. Neither: concurrent.",
    ),
)
