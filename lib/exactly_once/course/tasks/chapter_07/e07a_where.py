"""Exercise 07a: where to keep the position of a consumer that writes to another system, and what that promises."""

from html import escape

import pandas as pd

from .... import show as drawing
from ....errors import BadInput
from ..reply import has_dots, right, unsolved, wrong
from ..task import Task
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
    """Compare each place with what is possible, and each promise with what is proved."""
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
        "more. What decides is not the consumer but the sink: whether it can keep a position beside the effect, "
        "whether it can prepare, and whether doing it again shows.",
        picture=drawn(said),
    )


def _better(sink, promise):
    """Return a promise that is kept at another place and stronger than this one, or None."""
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
    """Draw an answer as it stands."""
    return drawn(read(answer) or {})


TASK = Task(
    title="where to put the position",
    answer="places",
    tier="warm-up",
    show=show,
    check=check,
    hints=(
        "Ask of each sink, in this order: can it keep my position in the transaction of the effect? Can it prepare a "
        "transaction, so that my decision comes first? Does it show that something was done again?",
        "The table takes a column or a table of yours, so the position goes beside the effect. The ledger takes "
        "nothing of yours, but prepares. The map overwrites: the same put twice leaves what one put leaves.",
        "Of an e-mail nothing can be kept, prepared or overwritten: it is sent at least once or at most once, and "
        "the place decides which. Either will do here.",
        "places = {'table': ('beside', 'exactly once'), 'ledger': ('two phases', 'exactly once'), 'map': ('after', "
        "'as if once'), 'mail': ('after', 'at least once')}",
    ),
)
