"""Exercise 01a: the Lamport stamps of a run, by hand."""

from collections.abc import Iterable, Mapping

from ... import show as drawing
from ...errors import BadInput, whole
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.task import Task
from .runs import BY_HAND, stamps_by

MISTAKES = (
    (
        lambda clock, stamp: clock + 1,
        "Your stamps count each process's own events. A receipt also looks at what the message carries, and "
        "goes beyond it",
    ),
    (
        lambda clock, stamp: stamp + 1,
        "Your receipts take the message's stamp alone, so a clock can go back. The larger of the two counts, the "
        "process's own clock or the message's stamp",
    ),
    (
        lambda clock, stamp: max(clock, stamp),
        "Your receipts take the larger of the two, and the step of 1 is missing, so an event has the stamp of its "
        "own cause",
    ),
    (lambda clock, stamp: clock + stamp + 1, "Your receipts add the two up. It is the larger of the two that counts"),
)


def read(answer):
    """Return the stamps by place, or None with dots left. Raises `BadInput` for an answer of another form.

    The answer has a list for each process, or a number for each event's name.
    """
    if has_dots(answer) or (isinstance(answer, Mapping) and any(map(has_dots, answer.values()))):
        return None
    if not isinstance(answer, Mapping):
        raise BadInput(f"Your stamps are {answer!r}; give a dictionary with a list of stamps for each process.")
    names = {BY_HAND.name(place): place for place in range(len(BY_HAND))}
    given = {}
    for key, value in answer.items():
        if key in BY_HAND.rows:
            row = BY_HAND.rows[key]
            values = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
            if len(values) != len(row):
                raise BadInput(f"For {key} you give {len(values)} stamps; it has {len(row)} events.")
            given |= dict(zip(row, values, strict=True))
        elif key in names:
            given[names[key]] = value
        else:
            raise BadInput(f"There is no {key!r} in this run; there are {', '.join(BY_HAND.processes)}.")
    if missing := [name for name, place in names.items() if place not in given]:
        raise BadInput(f"The stamp of {missing[0]} is missing.")
    return [whole(f"The stamp of {BY_HAND.name(place)}", given[place]) for place in range(len(BY_HAND))]


def check(answer):
    """Compare stamps with those of the three rules; the first wrong one in the order of causes is explained."""
    said = read(answer)
    if said is None:
        return unsolved("the stamps")
    odd = next((place for place in BY_HAND.causal_order if said[place] != BY_HAND.lamport[place]), None)
    if odd is None:
        return right("Every stamp is 1 more than the largest among its causes.", picture=drawing.history(BY_HAND))
    picture = drawing.history(BY_HAND, stamps=said, marked={odd: f"{said[odd]}, not {BY_HAND.lamport[odd]}"})
    return wrong(f"{_reason(said)}{BY_HAND.why(odd)}", picture=picture)


def _reason(said):
    for rule, words in MISTAKES:
        if said == stamps_by(BY_HAND, rule):
            return f"{words}: "
    if said == list(range(1, len(said) + 1)):
        return (
            "You numbered the events from left to right. Nobody in the run can see the whole drawing; a process "
            "knows its own events, and what messages bring: "
        )
    return "One stamp does not follow from those before it: "


def show(answer):
    """Draw the run with the stamps as they were given; the table does not give the right ones away."""
    picture = drawing.history(BY_HAND, stamps=read(answer) or ["?"] * len(BY_HAND))
    table = picture.table.drop(columns=["stamp", "vector"], errors="ignore")
    return drawing.Picture(picture.html, table, unfold="The events as a table")


TASK = Task(
    answer="stamps",
    tier="warm-up",
    show=show,
    check=check,
)
