"""The strip of the kill scrubber as HTML: a tick for each place, by hours, with the verdict's colour and sign."""

from html import escape

from ...show.verdicts.verdict import MEANING, SIGNS
from ...simulate.places import KINDS
from ..base.controls import field, select

# the width of a step, the gap between two steps, and the extra gap between two hours
STEP, GAP, HOUR_GAP = 1.0, 1.1, 1.6
FAULTS = {kind: f"✖ {kind}" for kind in KINDS} | {"duplicated request": "✖ duplicate"}
VERBS = {
    "crash": "Where can it die?",
    "lost request": "Which request can get lost?",
    "late request": "Which request can be late?",
    "lost reply": "Which reply can get lost?",
    "duplicated request": "Which request can come twice?",
    "pause": "Where can it fall asleep?",
}


def strip_html(strip, kind, off=False):
    """Return the choice of the fault, the counts, and the track. `strip` is None where none is known."""
    chooser = field("Fault", select("kind", list(FAULTS.items()), kind, off))
    track = (
        track_html(strip) if strip else '<p class="eo-dim">The places of this handler come with its first run.</p>'
    )
    return (
        f'<div class="eo-console-strip-head"><strong>{VERBS[kind]}</strong><span class="eo-dim">drag ✖, or ← →</span>'
        f'<span class="eo-console-counts">{counts_html(strip) if strip else ""}</span></div>'
        f'<div class="eo-strip-body">{chooser}{track}</div>'
    )


def counts_html(strip):
    """Return the number of places for each result, such as "60 places: ✓ harmless 28 · × doubles 20"."""
    counts = strip.counts()
    left = counts.pop("not run", 0)
    if not counts:
        return f"{len(strip.places)} places"
    told = (f'<b class="{_kind(word)}">{SIGNS[word]} {word} {count}</b>' for word, count in counts.items())
    going = f' · <span class="eo-dim">{left} to go</span>' if left else ""
    return f"{len(strip.places)} places: {' · '.join(told)}{going}"


def track_html(strip):
    """Return the ticks of a strip in groups by hour, on a line of bars, one for each step."""
    x, steps, groups = 0.0, {}, {}
    for place in strip.places:
        if place.step not in steps:
            group = groups.setdefault(hour_of(strip, place), [x + (HOUR_GAP if steps else 0), 0.0])
            x = group[0] if not group[1] else x
            steps[place.step] = x
            x += STEP + GAP
            group[1] = x - GAP
    whole = max(x - GAP, STEP) + 2 * STEP

    def share(at):
        return f"{(at + STEP) / whole * 100:.2f}%"

    hours = "".join(
        f'<span class="eo-hour" data-hour="{item or 0}" style="left:{share(begin - 0.8)};'
        f'width:{(end - begin + 1.6) / whole * 100:.2f}%"><span>{_hour(item, end - begin, whole)}</span></span>'
        for item, (begin, end) in groups.items()
    )
    bars = "".join(
        f'<i class="eo-console-bar" style="left:{share(at)};width:{STEP / whole * 100:.2f}%"></i>'
        for at in steps.values()
    )
    places = [(place, share(steps[place.step] + _within(place))) for place in strip.places]
    ticks = "".join(tick_html(strip, index, left) for index, (_, left) in enumerate(places))
    letters = "".join(
        f'<span class="eo-letter" data-point="{place.point}" data-hour="{place.point_item}" '
        f'style="left:{left}">{place.point}</span>'
        for place, left in places
        if place.point
    )
    return (
        f'<div class="eo-console-track">{hours}{bars}{ticks}{letters}'
        '<span class="eo-console-kill" role="slider" tabindex="0" data-key="kill-here" aria-valuemin="1" '
        f'aria-valuemax="{len(strip.places)}" aria-label="Where the fault strikes">✖</span>'
        '<span class="eo-kill-says"><span></span><b></b></span></div>'
    )


def hour_of(strip, place):
    """Return the hour in which a place is drawn: a step that finds the next hour counts for the next hour."""
    after = (one for one in strip.places if one.step == place.step and one.kind == "crash after")
    return next((one.point_item for one in after if one.point_item), place.item)


def tick_html(strip, index, left):
    """Return the tick of one place. Its words are for the pointer, and for the slider."""
    word = strip.word(index)
    return (
        f'<i class="eo-tick {_kind(word)}" data-place="{index}" '
        f'data-hour="{hour_of(strip, strip.places[index]) or 0}" data-word="{word}" '
        f'data-says="{escape(strip.places[index].words)}" style="left:{left}">{SIGNS[word]}</i>'
    )


def chip(word, css="eo-console-chip"):
    """Return a word with its sign, in its colour."""
    return f'<span class="{css} {_kind(word)}" title="{escape(MEANING[word])}">{SIGNS[word]} {escape(word)}</span>'


def _kind(word):
    return f"eo-is-{word.replace(' ', '-')}"


def _within(place):
    if place.kind in ("crash before", "pause"):
        return 0
    return STEP if place.kind in ("crash after", "lost reply") else STEP / 2


def _hour(item, wide, whole):
    if item is None:
        return "start"
    return f"<i>hour </i>{item}" if wide / whole > 0.055 else str(item)
