"""A run of the delivery lab as a small wire with its tape of effects: a mark, and the line of the table behind it."""

from collections import Counter

from ...delivery.words import PROMISES
from ...show.base import canvas

RETRY = {"retry": "sends again", "give up": "gives up"}
POSITION = {"last": "last", "first": "first"}
WIDE, HIGH, CELL = 190, 54, 14  # pixels of a small wire, and of a record that took effect
PORTS = {"producer": (20, 62), "consumer": (136, 170)}  # the ends of the two wires


def small_wire(run, place):
    """Return a moment of a run as a small wire and its tape of effects: a mark, with the line of the table."""
    moment = run.moments[place]
    parts = []
    for n, (who, (start, end)) in enumerate(PORTS.items()):
        left = start - 19 if n == 0 else end
        dead = "" if moment.alive[n] else " eo-delivery-dead"
        parts += [
            canvas.line(start, 12, end, 12, "ask"),
            canvas.box(left, 3, 19, 18, f"eo-delivery-port{dead}", rx=3),
            canvas.words(left + 9.5, 16, who[0].upper() if moment.alive[n] else "✖", "stamp"),
        ]
    parts.append(canvas.box(62, 2, 74, 20, "eo-delivery-port"))
    parts += _tape(moment.log, 64, 4, 10, 16, bare=True)
    if moment.wire:
        side, forth, number, lost = moment.wire
        x = sum(PORTS[side]) / 2
        css = f"eo-delivery-go{'' if forth else ' eo-delivery-back'}{' eo-delivery-lost' if lost else ''}"
        said = "✖" if lost else number if forth else "⚑" if side == "consumer" else "✓"
        parts.append(canvas.group(canvas.box(x - 8, 4, 16, 16, rx=3), canvas.words(x, 16, said, "stamp"), css=css))
    parts.append(canvas.words(0, 45, "effects", "sub"))
    parts += _tape(moment.applied, 47, 32, CELL, 18, moment.lost)
    row = {
        "producer": RETRY[run.retry], "position saved": POSITION[run.position],
        "promise": PROMISES[run.retry, run.position], "lost": listed(moment.lost),
        "doubled": listed(moment.doubled), "effects in the end": "✓ right" if run.harmless else "✗ wrong",
    }  # fmt: skip
    return canvas.group(*parts, row=row)


def _tape(numbers, x, y, wide, high, lost=(), bare=False):
    """Return records as cells side by side, repeated and lost ones marked; `bare` cells have no number."""
    seen, found = Counter(), []
    for n in [*numbers, *lost]:
        seen[n] += 1
        css = "eo-delivery-again" if seen[n] > 1 else "eo-delivery-gone" if n in lost else "eo-delivery-cell"
        cell = [canvas.box(x, y, wide, high, css)]
        found += cell if bare else [*cell, canvas.words(x + wide / 2, y + high - 5, n, "stamp")]
        x += wide
    return found


def copy_html(run, place, main):
    """Return a moment of a run as a small wire under its setting and its promise, and at the end with its result. The
    run that is the `main` one on the screen is marked.
    """
    mark = small_wire(run, place)
    row, here = mark.row, (run.retry, run.position) == (main.retry, main.position)
    found = [f"{word} {row[word]}" for word in ("lost", "doubled") if row[word] != "–"]
    title = f"{row['producer']} · {row['position saved']}"
    promised = "neither promise" if row["promise"].startswith("Neither") else row["promise"]
    said = " · ".join(found) or "nothing lost or doubled"
    kind = "bad" if found else "dim"
    if run.moments[place] is run.end:
        said, kind = f"{row['effects in the end']}: {said}", "good" if run.harmless else "bad"
    return (
        f'<section class="eo-delivery-copy{" eo-delivery-here" if here else ""}" aria-label="{title}">'
        f'<p><b>{title}</b></p><p class="eo-dim">{promised}</p>'
        f"{canvas.svg([mark], WIDE, HIGH, f'{title}: {said}')}"
        f'<p class="eo-{kind}">{said}</p></section>'
    )


def listed(numbers):
    """Return numbers with commas between them, or a dash for none."""
    return ", ".join(map(str, numbers)) or "–"
