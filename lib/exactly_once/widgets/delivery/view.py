"""The delivery lab's screen as fragments of HTML, from its model: switches, and for each step a sentence, the wire
between the two machines and the log, and the four settings as four small wires.
"""

from html import escape

import numpy as np
import pandas as pd

from ... import show
from ...delivery.words import EXPLAINED, PROMISES, verdict, why
from ...show.base import canvas
from ..base.controls import button, field, number_field, segments, select
from .model import FAULTS, NOTHING, RECORDS, SIDES
from .small import POSITION, RETRY, copy_html, listed, small_wire
from .wire import stage

UPDATE = {"add": "adds", "overwrite": "overwrites"}
TIMES = ("never", "once", "more than once")
FIRST = "Press Play: it stops at the fault. Or point at a record, and choose what goes wrong with it."


def fragments(model, _width=None):
    """Return {trait: value} of a `DeliveryModel`: fragments of HTML, and for each step its sentence and pictures."""
    state, delivery = model.state, model.state.delivery
    four, places = model.four().values(), range(len(delivery.moments))
    pace = [in_step(delivery, run) for run in four]
    return {
        "heads": heads(state.settings),
        "promise": promise(delivery),
        "faults": faults(state),
        "menus": "".join(map(menu, SIDES)),
        "says": [says(state.of, delivery, place) for place in places],
        "stages": [stage(delivery, place) for place in places],
        "copies": [
            "".join(copy_html(run, place, delivery) for run, place in zip(four, beside, strict=True))
            for beside in zip(*pace, strict=True)
        ],
        "marks": marks_of(delivery),
        "begin": state.begin,
        "tables": show.folded(canvas.table_of([small_wire(run, -1) for run in four]), "The four settings as a table")
        + show.folded(steps_table(delivery), "All steps as a table"),
        "stale": model.stale,
    }


def heads(settings):
    """Return the switches of both machines."""
    retry = segments("retry", RETRY, settings.retry, spoken="after an error the producer {}")
    position = segments("position", POSITION, settings.position, spoken="saves its position {}")
    update = segments("update", UPDATE, settings.update, spoken="an update {}")
    return (
        f"<div><b>Producer</b>{field('After an error it', retry)}</div><i></i><div><b>Log</b></div><i></i><div>"
        f"<b>Consumer</b><div>{field('Saves position', position)}{field('An update', update)}</div></div>"
    )


def promise(delivery):
    """Return the guarantee of these settings, for every possible run."""
    choice = delivery.retry, delivery.position
    return f"<b>{PROMISES[choice]}</b>: {EXPLAINED[choice]}."


def faults(state):
    """Return the fault of each side and its record, as fields; and the reset."""
    settings, sides = state.settings, ""
    for side, who in SIDES.items():
        options, at = [(key, title) for key, (title, *_) in FAULTS[side].items()], f"{side}_at"
        sides += (
            f'<div class="eo-delivery-side" role="group" aria-label="Fault at the {who}">'
            f"{field(f'✖ {who}:', select(side, options, getattr(settings, side)))}"
            f"{number_field('at record', at, getattr(settings, at), state.refused, RECORDS)}</div>"
        )
    return sides + button("eo-delivery-reset", "reset", "Reset")


def menu(side):
    """Return the menu of what can go wrong with a record; the page puts the record's number into it."""
    chosen = "".join(
        button("", "strike", f"{'✓' if key == NOTHING else '✖'} {title}", value=f"{side}|{key}")
        for key, (title, *_) in FAULTS[side].items()
    )
    return (
        f'<div class="eo-delivery-menu" data-side="{side}" data-arrows hidden role="group" '
        f'aria-label="What goes wrong at the {SIDES[side]}">'
        f"<p>At the {SIDES[side]}, with record <b></b>:</p>{chosen}</div>"
    )


def marks_of(delivery):
    """Return the places of the moments at which a fault strikes."""
    return [place for place, moment in enumerate(delivery.moments) if moment.faulty]


def says(settings, delivery, place):
    """Return the sentence of a moment; at a fault with a question, at the end with the verdict and the answers."""
    moment = delivery.moments[place]
    if moment is delivery.end:
        return verdict_html(delivery) + "".join(answer(settings, delivery, fault) for fault in marks_of(delivery))
    if not moment.faulty:
        return f'<p class="eo-delivery-step-says">{escape(moment.text)} {"" if place else FIRST}</p>'
    chips = "".join(
        f'<button type="button" class="eo-button eo-small" data-say="{often}" data-key="say-{often}">{often}</button>'
        for often in TIMES
    )
    asked = f"<b>What now?</b> In the end record {record_of(settings, moment)} takes effect"
    return (
        f'<p class="eo-delivery-step-says eo-delivery-hurts">{escape(moment.text)}</p>'
        f'<p class="eo-delivery-ask" role="group" aria-label="What now?" data-arrows>{asked} {chips}</p>'
    )


def record_of(settings, moment):
    """Return the number of the record that a fault struck."""
    return settings.receiving_at if moment.who == "consumer" else settings.sending_at


def answer(settings, delivery, place):
    """Return why the run went on as it did after a fault; the page adds what the learner said."""
    number = record_of(settings, delivery.moments[place])
    often = TIMES[min(2, delivery.end.applied.count(number))]
    text = escape(why(delivery, place, number))
    return f'<p class="eo-delivery-why">{text} <b data-of="{place}" data-right="{often}"></b></p>'


def verdict_html(delivery):
    """Return the result of the run, for its last step."""
    good, headline, said = verdict(delivery)
    kind, title = ("good", f"✓ {headline}") if good else ("bad", f"✗ {headline}")
    words = f"<strong>{escape(title)}</strong> {escape(' '.join(said))}"
    return f'<div class="eo-says eo-is-{kind} eo-delivery-verdict">{words}</div>'


def in_step(main, other):
    """Return, for each moment of `main`, the index of `other`'s moment; interpolate between common faults.

    A fault does not strike a run in which its record was lost before; and the faults may strike in another order.
    """
    struck = [{run.moments[place].who: place for place in marks_of(run)} for run in (main, other)]
    beside = [(0, 0)]
    for who, place in struck[0].items():
        if struck[1].get(who, 0) > beside[-1][1]:
            beside.append((place, struck[1][who]))
    ends = zip(*beside, (len(main.moments) - 1, len(other.moments) - 1), strict=True)
    return [round(place) for place in np.interp(range(len(main.moments)), *ends)]


def steps_table(delivery):
    """Return all steps as a DataFrame."""
    rows = [
        (place, moment.who, moment.text, listed(moment.lost), listed(moment.doubled))
        for place, moment in enumerate(delivery.moments, 1)
    ]
    return pd.DataFrame(rows, columns=["step", "who", "what", "lost so far", "doubled so far"])
