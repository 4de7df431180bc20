"""The right outcomes, side by side: small multiples on one scale, with the outcome of the judged run among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from ...errors import BadInput
from ...pipeline.series import STREAMS
from ...verdict import Verdict
from ...verdict.run import Ideal, Push
from ..base.canvas import box, dot, svg, way, words
from ..base.chart import Scale
from ..base.checks import given, several
from ..base.picture import Picture

MOST = 12  # number of drawn outcomes; the table has all of them
WIDTH, HEIGHT, SIDE, TOP = 182, 118, 16, 12
PLOT = 62


@dataclass(frozen=True)
class Card:
    """One outcome: its records in order, the counter, and whether the judged run left it or left none of these."""

    title: str
    pushes: tuple[Push, ...]
    counter: int
    kind: str = ""

    @property
    def values(self) -> list[float]:
        """The numbers of its output."""
        return [float(push.value) for push in self.pushes]


def right_outcomes(ideals: Sequence[Ideal], judged: Verdict | None = None) -> Picture:
    """Return the right outcomes of a job side by side, each with its averages in the order of the output.

    `ideals` are a result of `ideal_outcomes(handler, job)`. The mark of an average shows the stream of the last
    reading (a circle for the first, a square for the second); the numbers beneath it are the hour of this reading and
    the number of readings in the window. With a `Verdict` the outcome of its run is framed and marked; if it is none
    of these, it is drawn ahead of them. Up to 12 are drawn, the table has all.

    Raises `BadInput` for anything but ideals, and for an output that is not numbers.
    """
    cards = _cards(ideals, judged)
    first = [card for card in cards if card.kind]
    drawn = [*first, *(card for card in cards if not card.kind)][:MOST] if len(cards) > MOST else cards
    last = {push.inputs[-1][1] for card in cards for push in card.pushes if push.inputs}
    streams = sorted(last, key=lambda stream: STREAMS.index(stream) if stream in STREAMS else len(STREAMS))
    values = [value for card in cards for value in card.values] or [0.0]
    low, high = min(values), max(values)
    room = (high - low) * 0.08 or 0.5
    scale = Scale(TOP + PLOT, TOP, low - room, high + room)
    html = "".join(_card_html(card, [one for one in drawn if one is not card], scale, streams) for card in drawn)
    left = len(cards) - len(drawn)
    more = f'<p class="eo-dim">{left:,} more are not drawn; the table has them.</p>' if left else ""
    return Picture(
        f'<div class="eo-rights" role="group" aria-label="Right outcomes">{html}</div>{_legend(streams)}{more}',
        right_outcomes_table(ideals, judged),
        unfold="The right outcomes as a table",
    )


def right_outcomes_table(ideals: Sequence[Ideal], judged: Verdict | None = None) -> pd.DataFrame:
    """Return the right outcomes as a DataFrame: last reading, averages, sizes of the windows, counter."""
    rows = [
        {
            "outcome": card.title,
            "read": ", ".join(_read(push) for push in card.pushes),
            "averages": ", ".join(f"{value:.1f}" for value in card.values),
            "readings in the window": ", ".join(str(len(push.inputs)) for push in card.pushes),
            "counter": card.counter,
            "this run": {"": "", "this": "✓ left it", "none": "✗ none of these"}[card.kind],
        }
        for card in _cards(ideals, judged)
    ]
    return pd.DataFrame(rows)


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


def _card_html(card: Card, others: Sequence[Card], y: Scale, streams: Sequence[str]) -> str:
    said = {"": "", "this": " · ✓ this run", "none": " · ✗ none of these"}[card.kind]
    about = f"{card.title}{said}: {', '.join(f'{value:.1f}' for value in card.values)}; counter {card.counter}"
    marks = [*(way(_points(one, y), "other") for one in others), way(_points(card, y), "own")]
    for (x, at), push in zip(_points(card, y), card.pushes, strict=True):
        second = push.inputs and streams.index(push.inputs[-1][1])
        marks.append(box(x - 4.5, at - 4.5, 9, 9, "second") if second else dot(x, at, 5, "first"))
        hour = push.inputs[-1][0] if push.inputs else push.item or ""
        marks += [words(x, TOP + PLOT + 18, hour, "at"), words(x, TOP + PLOT + 34, len(push.inputs), "at sub")]
    return (
        f'<div class="eo-outcome eo-{card.kind or "other"}"><p class="eo-h">{card.title}{said}</p>'
        f'{svg(marks, WIDTH, HEIGHT, about, "eo-st eo-averages")}<p class="eo-dim">counter {card.counter}</p></div>'
    )


def _x(number: int, many: int) -> float:
    return SIDE + (WIDTH - 2 * SIDE) * (number + 0.5) / many


def _points(card: Card, y: Scale) -> list[tuple[float, float]]:
    return [(_x(n, len(card.values)), y(value)) for n, value in enumerate(card.values)]


def _legend(streams: Sequence[str]) -> str:
    said = [f"{sign} {_name(stream)} was read last" for sign, stream in zip("●■", streams, strict=False)]
    said = said if len(said) > 1 else []  # one stream alone leaves nothing to distinguish
    said += ["beneath each average its hour, and how many readings the window held"]
    said += ["thin lines: the other outcomes, on the same scale"]
    return f'<p class="eo-dim">{" · ".join(said)}</p>'
