"""The delivery lab's screen as fragments of HTML, from its model: controls, one stage for each step, the verdict."""

from collections import Counter
from html import escape

import pandas as pd

from ... import show
from ...delivery.run import key_of
from ...delivery.words import EXPLAINED, PROMISES, verdict
from ..base.controls import button, field, number_field, segments, select
from .model import RECEIVING, RECORDS, SENDING

RETRY = {"retry": "sends again", "give up": "gives up"}
POSITION = {"last": "last", "first": "first"}
UPDATE = {"add": "adds", "overwrite": "overwrites"}
TIMES = {2: "twice", 3: "3 times", 4: "4 times"}


def fragments(model):
    """Return {trait: value} of a `DeliveryModel`: fragments of HTML, and for each step a sentence and a stage."""
    delivery = model.state.delivery
    return {
        "toolbar": toolbar(model.state),
        "promise": promise(delivery),
        "says": [escape(moment.text) for moment in delivery.moments],
        "stages": [stage(delivery, moment) for moment in delivery.moments],
        "marks": [place for place, moment in enumerate(delivery.moments) if moment.faulty],
        "verdict": verdict_html(delivery),
        "words": show.folded(steps_table(delivery), "All steps as a table"),
        "four": show.folded(four_table(model.four()), "The same faults under all four settings"),
        "stale": model.stale,
    }


def toolbar(state):
    """Return the controls of both sides."""
    settings, refused = state.settings, state.refused
    sending = [(key, title) for key, (title, *_) in SENDING.items()]
    receiving = [(key, title) for key, (title, *_) in RECEIVING.items()]
    producer = [
        field("After an error it", segments("retry", RETRY, settings.retry, spoken="after an error the producer {}")),
        field("What goes wrong", select("sending", sending, settings.sending)),
        number_field("at record", "sending_at", settings.sending_at, refused, RECORDS),
    ]
    consumer = [
        field(
            "Saves its position", segments("position", POSITION, settings.position, spoken="saves its position {}")
        ),
        field("An update of a key", segments("update", UPDATE, settings.update, spoken="an update {}")),
        field("What goes wrong", select("receiving", receiving, settings.receiving)),
        number_field("at record", "receiving_at", settings.receiving_at, refused, RECORDS),
    ]
    return (
        f'<div class="eo-delivery-side" role="group" aria-label="Producer"><b>Producer</b>{"".join(producer)}'
        f"{button('eo-delivery-reset', 'reset', 'Reset')}</div>"
        f'<div class="eo-delivery-side" role="group" aria-label="Consumer"><b>Consumer</b>{"".join(consumer)}</div>'
    )


def promise(delivery):
    """Return the guarantee of these settings, for every possible run."""
    choice = delivery.retry, delivery.position
    return f"<b>{PROMISES[choice]}</b>: {EXPLAINED[choice]}."


def stage(delivery, moment):
    """Return the lanes of one moment: the producer's records, the log, the effects; and the running count."""
    lives = moment.lives
    broker = f"restarted, incarnation {lives[2]}" if lives[2] > 1 else "one broker"
    kinds = "counts" if delivery.update == "add" else "holds"
    return (
        f"{lane('Producer', life(lives[0], moment.alive[0]), sent(delivery, moment), 'producer', moment)}"
        f"{wire(moment)}"
        f"{lane('Log', broker, log(moment), 'log', moment)}"
        f'<p class="eo-wire eo-dim">{in_hand(moment)}</p>'
        f"{lane('Consumer', life(lives[1], moment.alive[1]), effects(delivery, moment), 'consumer', moment)}"
        f'<div class="eo-fact-row eo-delivery-counts">{counts(delivery, moment, kinds)}</div>'
    )


def life(number_of_life, alive):
    """Describe a side's present incarnation."""
    return f"incarnation {number_of_life}" if alive else f"✖ incarnation {number_of_life} is dead"


def lane(title, about, cells, who, moment):
    """Return one row: its title, its incarnation and its cells. The row of the actor is marked."""
    now = " eo-delivery-now" if moment.who == who else ""
    now += " eo-delivery-hurt" if now and moment.faulty else ""
    mark = '<span class="eo-delivery-acts">◂ now</span>' if now else ""
    label = f"<b>{title}</b>{mark}<small>{escape(about)}</small>"
    return f'<div class="eo-delivery-lane eo-lane-{who}{now}"><div class="eo-delivery-who">{label}</div>{cells}</div>'


def cell(top, middle, marks, kind="", flag=""):
    """Return one cell of a lane."""
    told = "".join(f'<small class="eo-mark">{escape(mark)}</small>' for mark in marks)
    flag = f'<small class="eo-delivery-flag">{escape(flag)}</small>' if flag else ""
    return f'<li class="eo-cell{kind}"><small>{escape(top)}</small><b>{escape(middle)}</b>{told}{flag}</li>'


def cells(inside, label):
    """Return cells in a row."""
    return f'<ol class="eo-cells" aria-label="{escape(label)}">{inside}</ol>'


def sent(delivery, moment):
    """Return the producer's own records, with marks for noted, lost and unfinished ones."""
    inside = []
    for n in range(1, delivery.records + 1):
        lost = n in moment.lost and n not in moment.log
        mark = "○ lost" if lost else "… sending" if moment.doing == n and moment.noted < n else ""
        mark = mark or ("✓ noted" if n <= moment.noted else "")
        inside.append(cell(key_of(n), str(n), [mark] if mark else [], " eo-gap" if lost else ""))
    return cells("".join(inside), "The producer's records")


def wire(moment):
    """Return the message between producer and log."""
    if moment.wire is None:
        return '<p class="eo-wire">&nbsp;</p>'
    start, _, what, lost = moment.wire
    arrow = "▼" if start == "producer" else "▲"
    name = f"record {what}" if start == "producer" else f"acknowledgement of {what}"
    if lost:
        return f'<p class="eo-wire eo-bad">✖ {name} is lost</p>'
    return f'<p class="eo-wire eo-good">{arrow} {name}</p>'


def log(moment):
    """Return the log's tape: offsets, records, the consumer's saved position, and the place of the next record."""
    seen, inside = Counter(), []
    for offset, n in enumerate(moment.log):
        seen[n] += 1
        again = seen[n] > 1
        marks = [f"× {TIMES.get(seen[n], f'{seen[n]} times')}"] if again else []
        kind = (" eo-again" if again else "") + (" eo-delivery-read" if offset < moment.reached else "")
        inside.append(cell(f"offset {offset}", str(n), marks, kind, "⚑ saved" if offset == moment.saved else ""))
    end = len(moment.log)
    inside.append(cell(f"offset {end}", "·", [], " eo-delivery-empty", "⚑ saved" if end == moment.saved else ""))
    return cells("".join(inside), "The log, oldest first; the flag is the consumer's saved position")


def in_hand(moment):
    """Return the records that the consumer has read since its saved position."""
    if not moment.alive[1]:
        return "what the consumer had read is forgotten"
    if moment.reached == moment.saved:
        return "the consumer has nothing in hand that its saved position does not cover"
    if moment.reached < moment.saved:
        return "&nbsp;"
    return f"▼ read since the saved position: {', '.join(map(str, moment.log[moment.saved : moment.reached]))}"


def effects(delivery, moment):
    """Return the records that took effect, in their order; then the lost records."""
    seen, newest, inside = Counter(), Counter(), []
    for n in moment.applied:
        seen[n] += 1
        again, key = seen[n] > 1, key_of(n)
        marks = [f"× {TIMES.get(seen[n], f'{seen[n]} times')}"] if again else []
        marks += ["↩ old value"] if delivery.update == "overwrite" and n < newest[key] else []
        newest[key] = max(n, newest[key])
        inside.append(cell(key, str(n), marks, " eo-again" if again else ""))
    inside += [cell(key_of(n), str(n), ["○ lost"], " eo-gap") for n in moment.lost]
    inside = inside or ['<li class="eo-cell eo-delivery-empty"><small>no effect yet</small><b>·</b></li>']
    return cells("".join(inside), "Effects, oldest first")


def counts(delivery, moment, kinds):
    """Return the running count of lost and doubled records, and the value of each key."""
    surplus = len(moment.applied) - len(set(moment.applied))
    found = [
        fact("lost", "Lost so far", f"○ {len(moment.lost)}", bool(moment.lost)),
        fact("doubled", "Doubled so far", f"× {surplus}", bool(surplus)),
    ]
    for key, value in moment.held:
        right = delivery.right[key]
        told = f"{value}" if delivery.update == "add" else f"record {value}" if value else "nothing"
        goal = f"right in the end: {right}" if delivery.update == "add" else f"right in the end: record {right}"
        over = moment is delivery.end
        found.append(fact(key, f"{key} {kinds}", told, value > right or (over and value != right), goal))
    return "".join(found)


def fact(css, title, value, bad, about=""):
    """Return one number with its title."""
    colour = " eo-bad" if bad else ""
    about = f'<span class="eo-dim">{escape(about)}</span>' if about else ""
    return (
        f'<div class="eo-fact"><p class="eo-h">{escape(title)}</p>'
        f'<p><span class="eo-big eo-{css}{colour}">{escape(value)}</span> {about}</p></div>'
    )


def verdict_html(delivery):
    """Return the result of the run, for its last step."""
    good, headline, said = verdict(delivery)
    mark, kind = ("✓", "eo-is-good") if good else ("✗", "eo-is-bad")
    return (
        f'<div class="eo-says {kind} eo-delivery-verdict"><strong>{mark} {escape(headline)}</strong> '
        f"{escape(' '.join(said))}</div>"
    )


def steps_table(delivery):
    """Return all steps as a DataFrame."""
    rows = [
        (place, moment.who, moment.text, _listed(moment.lost), _listed(moment.doubled))
        for place, moment in enumerate(delivery.moments, 1)
    ]
    return pd.DataFrame(rows, columns=["step", "who", "what", "lost so far", "doubled so far"])


def four_table(runs):
    """Return the results of the same faults under each of the four settings."""
    rows = [
        (
            RETRY[retry], POSITION[position], PROMISES[retry, position], _listed(run.end.lost),
            _listed(run.end.doubled), "✓ right" if run.harmless else "✗ wrong",
        )
        for (retry, position), run in runs.items()
    ]  # fmt: skip
    columns = ["producer", "position saved", "promise", "lost", "doubled", "effects in the end"]
    return pd.DataFrame(rows, columns=columns)


def _listed(numbers):
    return ", ".join(map(str, numbers)) or "–"
