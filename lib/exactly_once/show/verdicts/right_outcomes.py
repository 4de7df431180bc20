"""The right outcomes, side by side, each as a tape, with the outcome of the judged run among them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import pandas as pd

from ...errors import BadInput
from ...pipeline.series import STREAMS
from ...verdict import Verdict
from ...verdict.run import Ideal, Push
from ..base.checks import given, several
from ..base.picture import Picture
from ..base.tape import Cell, cells_html

MOST = 12  # number of drawn outcomes; the table has all of them
SAID = {"": "", "this": "✓ left it", "none": "✗ none of these"}


class Card(NamedTuple):
    """One outcome: its records in order, the counter, and whether the judged run left it or left none of these."""

    title: str
    pushes: tuple[Push, ...]
    counter: int
    kind: str = ""


def right_outcomes(ideals: Sequence[Ideal], judged: Verdict | None = None) -> Picture:
    """Return the right outcomes of a job side by side, each with its averages in the order of the output.

    `ideals` are a result of `ideal_outcomes(handler, job)`. The sign of an average shows the stream of the last
    reading (a circle for the first, a square for the second); beside it stands the hour of this reading, beneath it
    the number of readings in the window. With a `Verdict` the outcome of its run is framed and marked; if it is none
    of these, it is drawn ahead of them. Up to 12 are drawn, the table has all.

    Raises `BadInput` for anything but ideals, and for an output that is not numbers.
    """
    cards = _cards(ideals, judged)
    ahead = [card for card in cards if card.kind]
    drawn = [*ahead, *(card for card in cards if not card.kind)][:MOST] if len(cards) > MOST else cards
    last = {push.inputs[-1][1] for card in cards for push in card.pushes if push.inputs}
    streams = sorted(last, key=lambda one: STREAMS.index(one) if one in STREAMS else len(STREAMS))
    signs = dict(zip(streams, "●■◆", strict=False)) if len(streams) > 1 else {}
    said = [f"{sign} {_name(stream)} was read last" for stream, sign in signs.items()]
    said += ["beneath each average its hour, and how many readings the window held"]
    left = len(cards) - len(drawn)
    said += [f"{left:,} more are not drawn; the table has them"] * (left > 0)
    html = "".join(_card_html(card, signs) for card in drawn)
    return Picture(
        f'<div class="eo-rights" role="group" aria-label="Right outcomes">{html}</div>'
        f'<p class="eo-dim">{" · ".join(said)}</p>',
        pd.DataFrame(
            {
                "outcome": card.title,
                "read": ", ".join(_read(push) for push in card.pushes),
                "averages": ", ".join(f"{float(push.value):.1f}" for push in card.pushes),
                "readings in the window": ", ".join(str(len(push.inputs)) for push in card.pushes),
                "counter": card.counter,
                "this run": SAID[card.kind],
            }
            for card in cards
        ),
        unfold="The right outcomes as a table",
    )


def _cards(ideals: Sequence[Ideal], judged: Verdict | None) -> list[Card]:
    run = None if judged is None else given(judged, Verdict).run
    distinct = {ideal.outcome: ideal for ideal in reversed(several(ideals, Ideal))}
    found = []
    for number, (outcome, ideal) in enumerate(reversed(distinct.items()), start=1):
        kind = "this" if run is not None and outcome == run.outcome else ""
        pushes = tuple(run.pushes) if run is not None and kind else ideal.pushes
        found.append(Card(f"outcome {number}", pushes, outcome.counter, kind))
    if run is not None and not any(card.kind for card in found):
        found.insert(0, Card("this run", tuple(run.pushes), run.outcome.counter, "none"))
    for push in (push for card in found for push in card.pushes):
        if isinstance(push.value, bool) or not isinstance(push.value, (int, float, Fraction)):
            raise BadInput(f"The output holds {push.value!r}, which is no number; only averages can be drawn.")
    return found


def _read(push: Push) -> str:
    return f"{_name(push.inputs[-1][1])} {push.inputs[-1][0]}" if push.inputs else f"hour {push.item}"


def _name(stream: str) -> str:
    return stream.replace("_", " ").title()


def _card_html(card: Card, signs: dict[str, str]) -> str:
    said = {"": "", "this": " · ✓ this run", "none": " · ✗ none of these"}[card.kind]
    cells = []
    for push in card.pushes:
        hour, stream = push.inputs[-1] if push.inputs else (push.item, "")
        many = f"{len(push.inputs)} reading{'s' * (len(push.inputs) != 1)}"
        cells.append(Cell(f"{float(push.value):.1f}", f"{signs.get(stream, '')} hour {hour}".strip(), under=many))
    tape = cells_html(cells, f"{card.title}{said}, oldest first")
    return (
        f'<div class="eo-outcome eo-{card.kind or "other"}"><p class="eo-h">{card.title}{said}</p>'
        f'{tape}<p class="eo-dim">counter {card.counter}</p></div>'
    )
