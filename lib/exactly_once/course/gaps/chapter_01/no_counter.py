"""Gap 01-no-counter: three events that show that being concurrent is not transitive."""

from itertools import permutations

from .... import show
from ....clocks import Event, History, random_history
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap
from .runs import untouched

ONE_LINE = History([Event("ann", "local")] * 3)
PING = History([Event("ann", "send", "m1"), Event("bob", "receive", "m1"), Event("bob", "local")])
APART = History([Event("bob", "local"), Event("ann", "local"), Event("bob", "local")])
BACKWARDS = History([Event("bob", "receive", "m1"), Event("cyd", "local"), Event("ann", "send", "m1")])
RUNS = [APART, PING, ONE_LINE, BACKWARDS, *(random_history(3, 7, seed, messages=0.8) for seed in range(12))]


def three_events(run):
    """Return places (a, b, c): a and b are concurrent, b and c as well, and yet a happened before c."""
    for a, b, c in permutations(range(len(run)), 3):
        if run.concurrent(a, b) and run.concurrent(b, c) and run.happened_before(a, c):
            return a, b, c
    return None


def check(answer):
    """Ask for three events of small runs; any three that are right will do, and None where there are none."""
    found = answers(answer, RUNS)
    if untouched(answer):
        return unsolved("your lines")
    for run, (fine, said) in zip(RUNS, found, strict=True):
        exist = three_events(run)
        if not fine:
            return wrong(f"Your lines fail: {said}.", picture=show.history(run))
        if said is None and exist is None:
            continue
        if said is None:
            marked = dict(zip(exist, "abc", strict=True))
            return wrong("This run has three such events, and yours finds none.", picture=_drawn(run, marked))
        wrong_form = _form(run, said)
        if wrong_form:
            return wrong(wrong_form, picture=show.history(run))
        if problem := _problem(run, *said):
            return wrong(problem, picture=_drawn(run, dict(zip(said, "abc", strict=True))))
    return right("One run with three such events is enough: no way of numbering can be right for them.")


def _drawn(run, marked):
    return show.history(run, marked=marked)


def _form(run, said):
    whole = isinstance(said, tuple | list) and len(said) == 3 and len(set(map(str, said))) == 3
    if not whole or not all(isinstance(place, int) and 0 <= place < len(run) for place in said):
        return f"Your function gives {said!r:.60}; give three different places, numbers from 0 to {len(run) - 1}."
    return ""


def _problem(run, a, b, c):
    names = dict(zip("abc", map(run.name, (a, b, c)), strict=True))
    if not run.concurrent(a, b):
        return f"a is {names['a']} and b is {names['b']}: they are not concurrent, there is a path."
    if not run.concurrent(b, c):
        return f"b is {names['b']} and c is {names['c']}: they are not concurrent, there is a path."
    if not run.happened_before(a, c):
        return f"a is {names['a']} and c is {names['c']}: a did not happen before c."
    return ""


GAP = Gap(
    title="three events that no counter can number",
    judge=check,
    library=three_events,
    hints=(
        "Three conditions on three events. Small runs have few events: try all.",
        "`permutations(range(len(run)), 3)` gives all triples of different places, in every order.",
        "`run.concurrent(a, b)`, `run.concurrent(b, c)` and `run.happened_before(a, c)`: if all three hold, return "
        "`a, b, c`.",
    ),
)
