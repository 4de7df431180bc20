"""Exercise 01c: the concurrent pairs of a run, by hand."""

from collections.abc import Iterable

from ... import show as drawing
from ...errors import BadInput
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.task import Task
from .runs import PAIRS

NAMES = {PAIRS.name(place): place for place in range(len(PAIRS))}


def read(answer):
    """Return the pairs as a set of sorted pairs of places, or None with dots left.

    Raises `BadInput` for what is no pair of two events of the run.
    """
    if has_dots(answer):
        return None
    if not isinstance(answer, Iterable) or isinstance(answer, str):
        raise BadInput(f'Your pairs are {answer!r}; give a list of pairs, such as [("p1.1", "p2.1")].')
    return {_pair(entry) for entry in answer}


def _pair(entry):
    names = entry.replace(",", " ").split() if isinstance(entry, str) else entry
    names = list(names) if isinstance(names, Iterable) else [names]
    for name in names:
        if name not in NAMES:
            raise BadInput(f"There is no event {name!r} in this run; there are {', '.join(NAMES)}.")
    if len(names) != 2 or names[0] == names[1]:
        raise BadInput(f"{entry!r} is no pair; a pair has two different events.")
    return tuple(sorted(NAMES[name] for name in names))


def check(answer):
    """Compare the pairs with those of the run. A pair too many is answered with the path, one too few with the
    rows.
    """
    said = read(answer)
    if said is None:
        return unsolved("the pairs")
    found = set(PAIRS.pairs())
    if said == found:
        words = f"These {len(found)} of {len(PAIRS) * (len(PAIRS) - 1) // 2} pairs have no path between them."
        return right(words, picture=drawing.history(PAIRS))
    too_many, too_few = sorted(said - found), sorted(found - said)
    if too_many:
        path = min((PAIRS.path(*pair) or PAIRS.path(*pair[::-1]) for pair in too_many), key=len)
        return wrong(_not_concurrent(path), picture=drawing.history(PAIRS, path=path))
    one, other = too_few[0]
    return wrong(_left_out(said, too_few), picture=drawing.history(PAIRS, marked={one: "no path", other: "no path"}))


def _not_concurrent(path):
    one, other, way = PAIRS.name(path[0]), PAIRS.name(path[-1]), " → ".join(map(PAIRS.name, path))
    if len({PAIRS[place].process for place in path}) == 1:
        return f"{one} and {other} are events of one process, and those are always in order: {way}."
    if len(path) == 2:
        return f"{one} and {other} are not concurrent: one is the send and the other the receipt of the same message."
    return f"{one} and {other} are not concurrent, though no single message joins them: there is a path, {way}."


def _left_out(said, too_few):
    one, other = (PAIRS.name(place) for place in too_few[0])
    rest = f"You left out {len(too_few)} of {len(said) + len(too_few)} pairs, among them {one} and {other}"
    if said and all(PAIRS.lamport[a] == PAIRS.lamport[b] for a, b in said):
        return f"{rest}. Equal stamps do mean concurrent, but concurrent events may have any stamps: look for paths."
    return f"{rest}: there is no path from either to the other, whatever their stamps are."


def show(answer):
    """Draw the run with its stamps, and count your pairs."""
    said = read(answer) or ()
    pairs = ", ".join(f"{PAIRS.name(one)} ∥ {PAIRS.name(other)}" for one, other in sorted(said)) or "none yet"
    picture = drawing.history(PAIRS)
    table = picture.table.drop(columns="vector")  # which would give the answer
    return drawing.Picture(f"{picture.html}<p>You say: {pairs}.</p>", table, f"You say: {pairs}.")


TASK = Task(
    answer="pairs",
    show=show,
    check=check,
)
