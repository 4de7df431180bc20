"""Gap 01-one-at-a-time: the invariant of mutual exclusion."""

from types import SimpleNamespace

from ....handlers import mutual_exclusion
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap
from .runs import untouched

RUNS = (  # what nodes push, in order: who enters (+) and who leaves (-)
    (+1, -1, +2, -2),
    (+1, +2, -1, -2),
    (+2, +1),
    (+2, -2, +1, -1),
    (+1, -1, +1, -1, +2, -2),
    (+1, -1, +1, +2),
    (+1, -1, +2, +3),
    (+3, -3, +1, -1, +2, -2),
)


def one_at_a_time(view):
    """Return True while at most one node is inside; a text otherwise."""
    inside = set()
    for what, node, _ in view.outputs:
        if what == "enters":
            inside.add(node)
        else:
            inside.remove(node)
        if len(inside) > 1:
            return f"nodes {inside} are inside at once"
    return True


def _moments():
    """Return the beginnings of the runs, up to the first in which two are inside; the shortest first."""
    found = {()}
    for run in RUNS:
        for end in range(1, len(run) + 1):
            found.add(run[:end])
            if sum(move // abs(move) for move in run[:end]) > 1:
                break
    return sorted(found, key=lambda run: (len(run), run))


def outputs(run):
    """Return what a node pushes to the output, for each move of a run."""
    return [["enters" if move > 0 else "leaves", abs(move), 2 * place + 1] for place, move in enumerate(run)]


def check(answer):
    """Ask about every moment of some runs."""
    moments = _moments()
    views = [SimpleNamespace(outputs=outputs(run), done=False) for run in moments]
    found = answers(answer, views)
    if untouched(answer):
        return unsolved("your lines")
    for run, view, (fine, said) in zip(moments, views, found, strict=True):
        told = f"The output is {_words(run)}"
        if not fine:
            return wrong(f"{told}, and your lines fail: {said}.")
        holds = said is None or (bool(said) and not isinstance(said, str))
        true = one_at_a_time(view) is True
        if holds and not true:
            return wrong(f"{told}: two are inside at once, and yours gives {said!r}.")
        if not holds and true:
            return wrong(f"{told}: never were two inside at once, and yours gives {said!r:.60}.")
    return right("It is asked at every moment of every schedule, also before anything was written.")


def _words(run):
    moves = [f"{'enters' if move > 0 else 'leaves'} {abs(move)}" for move in run]
    return ", ".join(moves) or "still empty"


GAP = Gap(
    title="at most one inside",
    judge=check,
    library=one_at_a_time,
    refuses=(mutual_exclusion.one_at_a_time, mutual_exclusion.in_order_of_requests),
    hints=(
        "`view.outputs` is a list such as [['enters', 1, 4], ['leaves', 1, 4]]: what, which node, the stamp of its "
        "request. Who is inside after all of them?",
        "Keep a set, or a number: up at 'enters', down at 'leaves'. When is it too large?",
        "Return True if it never was above 1. Return False, or a text that says what is wrong, if it was.",
    ),
)
