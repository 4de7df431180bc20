"""Exercise 07a: where a consumer of another system keeps its position, and which promise follows."""

from html import escape

import pandas as pd

from ... import show as drawing
from ...errors import BadInput
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.task import Task
from .sinks import IMPOSSIBLE, JOB, PLACES, PROMISES, SINKS, STRONGER, consumer, promised, proof


def read(answer):
    """Return {sink: (place, promise)}, or None for an answer with dots. Raises `BadInput` for another form."""
    if has_dots(answer):
        return None
    if not isinstance(answer, dict) or set(answer) != set(SINKS):
        raise BadInput(f"The answer is {answer!r}; it is a dictionary with {', '.join(SINKS)}.")
    for sink, pair in answer.items():
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or pair[0] not in PLACES or pair[1] not in PROMISES:
            raise BadInput(
                f"For the {sink} you give {pair!r}; give a place ({', '.join(PLACES)}) and a promise "
                f"({', '.join(PROMISES)})."
            )
    return {sink: tuple(pair) for sink, pair in answer.items()}


def check(answer):
    """Refuse an impossible place, and compare each promise with the proofs."""
    said = read(answer)
    if said is None:
        return unsolved("a place and a promise for each of the four")
    for sink, (place, promise) in said.items():
        if why := IMPOSSIBLE.get((sink, place)):
            return wrong(f"For the {sink}, {place!r} cannot be built: {why}.", picture=drawn(said))
        kept = promised(sink, place)
        if promise not in kept:
            found = proof(sink, place, promise).counterexample
            if found is not None:
                return wrong(
                    f"For the {sink}, with the position {place!r}, {promise!r} is too much: {found.sentence}",
                    found,
                    consumer(sink, place),
                )
            return wrong(
                f"For the {sink}, with the position {place!r}, {promise!r} is kept, and so is more than that.",
                picture=drawn(said),
            )
        if better := _better(sink, promise):
            return wrong(
                f"For the {sink}, {promise!r} is kept with the position {place!r}. But another place of the position "
                f"promises more: {better!r}.",
                picture=drawn(said),
            )
    return right(
        "All four places are possible, the promises are proved for one crash anywhere, and no other place promises "
        "more. The sink decides, and not the consumer: can the sink keep a position beside the effect, can it "
        "prepare, and does a repeated effect show?",
        picture=drawn(said),
    )


def _better(sink, promise):
    """Return a stronger promise that another place keeps, or None."""
    places = [place for place in PLACES if (sink, place) not in IMPOSSIBLE]
    kept = [each for place in places for each in promised(sink, place)]
    return next((each for each in STRONGER[promise] if each in kept), None)


def drawn(said):
    """Draw an answer as a table."""
    rows = [(sink, *said.get(sink, ("?", "?"))) for sink in SINKS]
    table = pd.DataFrame(rows, columns=["sink", "position", "promise"])
    words = f"Two hours are written; one crash may strike anywhere. ({JOB.items} passes.)"
    return drawing.Picture(
        f"<p>{escape(words)}</p>{drawing.table_html(table)}", text=f"{words}\n{table.to_string(index=False)}"
    )


def show(answer):
    """Draw an answer, finished or not."""
    return drawn(read(answer) or {})


TASK = Task(
    answer="places",
    tier="warm-up",
    show=show,
    check=check,
)
