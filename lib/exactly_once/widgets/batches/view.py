"""The micro-batch timeline as HTML: batches as columns, the checkpoint's logs, the tasks and the sink as rows."""

from html import escape

import pandas as pd

from ... import show
from ...faults import POINTS
from ...show.base.canvas import box, cross, diamond, dot, group, line, svg, words
from ...show.diagrams.layout import LIFE_COLOURS
from ..base.controls import button, field, segments, truth
from .model import JOB, SINKS, lives_of, replays

ROWS = {
    "offsets": ("offsets", "offsets/N"),
    "tasks": ("tasks", "state N+1"),
    "sink": ("sink", "own commit"),
    "commits": ("commits", "commits/N"),
}
PLACES = ("A", "offsets", "B", "tasks", "C", "sink", "D", "commits", "E")  # from top to bottom
WHERE = {
    "A": "before offsets/{0} was written",
    "B": "after offsets/{0} was written, before the sink did anything",
    "C": "in the sink, before its own commit",
    "D": "after the sink’s own commit, before commits/{0} was written",
    "E": "after commits/{0} was written",
}
KINDS = {"written": "written", "again": "written again", "there": "there already"}
TOP, PITCH, LEAST, WIDE = 44, 29, 360, 720  # pixels
LETTER, LANE, END = 12, 31, 7  # pixels: a column's left edge to letters, to its first life; the last to its end
Y = {place: TOP + PITCH * number for number, place in enumerate(PLACES)}
HEIGHT = Y["E"] + 20


def fragments(model, width):
    """Return {trait: HTML} of a `BatchesModel`."""
    state = model.state
    return {
        "toolbar": toolbar(model),
        "says": says_html(state),
        "stage": _Drawing(state, max(width, LEAST)).html(),
        "tape": tape_html(state),
        "words": show.folded(steps_table(state), "The same as a table"),
    }


def toolbar(model):
    """Return the switch of the sink and the buttons, with the status of a real run."""
    state, off = model.state, model.state.busy != "idle"
    choice = field("Sink", segments("sink", {name: name for name in SINKS}, state.sink, off, "the sink {}"))
    stop = button("eo-stop", "stop", "■ Stop", state.busy != "running")
    status = f'<span class="eo-batch-timeline-status" role="status">{escape(state.status)}</span>'
    return "".join(
        [
            choice,
            button("eo-undo", "undo", "↶ Undo", off or not model.back.past),
            button("eo-reset", "reset", "Reset", off or not state.kill),
            button("eo-batch-timeline-real", "real", "Now for real ▶", off, primary=True),
            stop if off else "",
            status,
        ]
    )


def says_html(state):
    """Return the verdict, and how it came about."""
    good, headline, rest = told(state)
    sign, mood = ("✓", "good") if good else ("✗", "bad")
    return (
        f'<div class="eo-says eo-is-{mood} eo-batch-timeline-verdict"><strong>{sign} {escape(headline)}</strong> '
        f"{escape(rest)}{_real_says(state)}</div>"
    )


def told(state):
    """Return (whether it is exactly once, a headline, how it came about in sentences)."""
    run, damage = state.run, state.run.verdict.damage
    hurt = [f"{hours} in the sink more than once"] if (hours := _hours(run)) else []
    if damage.counter != damage.expected_counter:
        hurt.append(f"the counter is {damage.counter} and should be {damage.expected_counter}")
    headline = "Exactly once." if run.verdict.exactly_once else f"Not exactly once: {', '.join(hurt)}."
    if not run.deaths:
        return run.verdict.exactly_once, headline, "Nobody was killed. Choose a letter: the driver is killed there."
    said, again = [], replays(run)
    for life, letter, batch in run.deaths:
        said.append(f"Driver {life} was killed at {letter} of batch {batch}, {WHERE[letter].format(batch)}.")
        if life + 1 not in again:
            found = f"commits/{batch}" if letter == "E" else f"no offsets/{batch}"
            said.append(f"Driver {life + 1} found {found} and began batch {batch + (letter == 'E')}.")
        else:
            saved = next((o.kind for o in run.passed if (o.life, o.batch, o.place) == (life + 1, batch, "sink")), "")
            end = {
                "again": " The sink saved its rows a second time.",
                "there": " The sink had that batch id and saved nothing.",
                "written": " The sink had none of its rows yet.",
            }
            said.append(
                f"Driver {life + 1} found offsets/{batch} without commits/{batch}: it {'ran' if saved else 'began'} "
                f"batch {batch} again{', with the same id and the same rows' * bool(saved)}.{end.get(saved, '')}"
            )
    return run.verdict.exactly_once, headline, " ".join(said)


def _hours(run):
    hours = sorted({one.batch + 1 for one in run.passed if one.kind == "again"})
    if not hours:
        return ""
    return f"hour {hours[0]} is" if len(hours) == 1 else f"hours {' and '.join(map(str, hours))} are"


def _real_says(state):
    found = state.found
    if found is None:
        return ""
    same = [(mark.life, mark.batch, mark.letter) for mark in _passed(found.marks)] == state.run.letters
    said = f"For real: {found.sentence} Processes: {', '.join(str(life.pid) for life in found.lives)}; " + (
        "they passed the places of the simulated drivers, in the same order."
        if same
        else "they did not pass the places of the simulated drivers."
    )
    return f'<span class="eo-batch-timeline-of-real">◆ {escape(said)}</span>'


def _passed(marks):
    return [mark for mark in marks if mark.letter in POINTS]


class _Drawing:
    """The drawing, and on it the letters as buttons."""

    def __init__(self, state, width):
        self.state, self.width = state, width
        self.left = 142 if width >= WIDE else 62
        self.column = (width - self.left - 2) / JOB.items
        self.lives = lives_of(state.run)
        self.found = {(mark.life, mark.batch, mark.letter): mark for mark in self._marks()}
        most = max(len(self._in(batch)) for batch in range(JOB.items))
        self.lane = min(26.0, (self.column - LANE - END) / max(1, most - 1))
        self.side = min(7.0, self.lane / 2 - 0.5)  # half of a mark

    def _marks(self):
        return _passed(self.state.marks or (self.state.found.marks if self.state.found else ()))

    def _in(self, batch):
        return [life for life, (first, last) in self.lives.items() if first <= batch <= last]

    def x(self, batch, life=None):
        """Return the place of a column's left edge, or of a life in it."""
        edge = self.left + self.column * batch
        return edge if life is None else edge + LANE + self.lane * self._in(batch).index(life)

    def html(self):
        run = self.state.run
        marks = [mark for make in (self._rows(), *map(self._column, range(JOB.items))) for mark in make]
        marks += [*map(self._life, self.lives), *(mark for one in run.passed for mark in self._mark(one))]
        marks += [self._cross(*death) for death in run.deaths]
        _, headline, rest = told(self.state)
        drawn = svg(marks, self.width, HEIGHT, f"{headline} {rest}", "eo-st eo-quiet")
        letters = "".join(self._letter(letter, batch) for letter in POINTS for batch in range(JOB.items))
        return (
            f'{drawn}<div class="eo-batch-timeline-letters" role="toolbar" aria-label="Places for a kill" '
            f'data-arrows data-across="{JOB.items}">{letters}</div>'
        )

    def _rows(self):
        yield words(2, 16, "batch N" if self.left < 100 else "batch N, hour N+1", "sub")
        for place, (name, more) in ROWS.items():
            yield box(0, Y[place] - 13, self.width, 26, "ground", rx=3)
            yield words(6, Y[place] + 4, name, "lane name")
            if self.left > 100:
                yield words(self.left - 6, Y[place] + 4, more, "sub", "end")

    def _column(self, batch):
        x = self.x(batch)
        yield line(x, 24, x, HEIGHT, "line")
        yield words(x + LETTER - 4, 16, batch, "name")

    def _life(self, life):
        first, last = self.lives[life]
        marks = []
        for batch in range(first, last + 1):
            passed = [one for one in self.state.run.passed if (one.life, one.batch) == (life, batch)]
            own, x = [Y[one.place] for one in passed], self.x(batch, life)
            low = HEIGHT if batch < last else max(own)
            marks.append(line(x, 26 if batch > first else min(own), x, low, "life"))
            for one in passed:
                if one.place in POINTS:
                    marks += [dot(x, Y[one.place], 2.6, "tick"), *self._real(one, x)]
            if batch == first:
                roomy = self._in(first)[-1] == life and x + 54 < self.x(first + 1)
                said = words(x + 5, min(own) - 10, f"driver {life}" if roomy else life, "life-name")
        return group(*marks, said, css="eo-batch-timeline-life", tone=_colour(life))

    def _real(self, one, x):
        """Yield the mark that a process left at this place, beside that of the simulated life."""
        mark = self.found.get((one.life, one.batch, one.place))
        if mark is not None:
            yield diamond(x + (7 if self.lane > 18 else 0), Y[one.place], 5, "real", title=str(mark))

    def _mark(self, one):
        if one.place in POINTS:
            return
        x, y, side = self.x(one.batch, one.life), Y[one.place], self.side
        title = f"driver {one.life}, batch {one.batch}, {ROWS[one.place][0]}: {KINDS[one.kind]}"
        square = box(x - side, y - side, 2 * side, 2 * side, rx=2)
        yield group(square, css=f"eo-batch-timeline-mark {one.kind}", title=title, tone=_colour(one.life))
        if one.kind == "again" and side > 6:
            yield words(x, y + 4, 2, "twice")

    def _cross(self, life, letter, batch):
        title = f"driver {life} is killed at {letter} of batch {batch}"
        return cross(self.x(batch, life), Y[letter], 6 if self.side > 6 else 4, title=title)

    def _letter(self, letter, batch):
        x, chosen = self.x(batch) + LETTER, (letter, batch) in self.state.kill
        what = f"{letter} of batch {batch}, {WHERE[letter].format(batch).replace('was', 'is').replace('did', 'does')}"
        do = "take the kill away from" if chosen else "kill the driver at"
        return (
            f'<button type="button" class="eo-letter{" eo-chosen" if chosen else ""}" data-do="kill" '
            f'data-value="{letter}{batch}" data-key="kill-{letter}{batch}" aria-pressed="{truth(chosen)}" '
            f'aria-label="{escape(f"{do} {what}")}" title="{escape(what)}" '
            f"{'aria-disabled=true ' if self.state.busy != 'idle' else ''}"
            f'style="left:{x:.1f}px;top:{Y[letter]}px">{letter}</button>'
        )


def _colour(life):
    return LIFE_COLOURS[(life - 1) % len(LIFE_COLOURS)]


def tape_html(state):
    """Return what the sink holds, simulated and for real, and the meaning of the signs."""
    run, found = state.run, state.found
    held = [("Sink, simulated", show.tape_html(run.verdict), run.verdict.damage.counter)]
    if found is not None:
        cells = list(zip(found.rows["hour"], found.rows["average"], strict=True))
        held.append(("◆ Sink, for real", _cells(cells), found.counter))
    sink = "".join(
        f'<div class="eo-batch-timeline-tape"><p class="eo-h">{title} · counter {counter} · should be '
        f"{run.verdict.damage.expected_counter}</p>{cells}</div>"
        for title, cells, counter in held
    )
    legend = (
        "■ written · □ there already · a red 2: written a second time · ✖ SIGKILL to the driver · "
        "◆ a real process’s mark"
    )
    return f'{sink}<p class="eo-batch-timeline-legend eo-dim">{legend}</p>'


def _cells(rows):
    seen, cells = set(), []
    for hour, average in rows:
        again, mark = hour in seen, '<small class="eo-mark">× twice</small>' if hour in seen else ""
        seen.add(hour)
        css = "eo-cell eo-again" if again else "eo-cell"
        cells.append(f'<li class="{css}"><b>{average:.1f}</b><small>hour {hour}</small>{mark}</li>')
    return f'<ol class="eo-cells" aria-label="The sink’s rows for real, oldest first">{"".join(cells)}</ol>'


def steps_table(state):
    """Return all that the lives did as a DataFrame, with the real processes' marks where there are any."""
    found, seconds = state.found, {}
    if found is not None:
        seconds = {(mark.life, mark.batch, mark.letter): mark.wall - found.marks[0].wall for mark in found.marks}
    pids = {life.number: life.pid for life in found.lives} if found else {}
    deaths, rows = set(state.run.deaths), []
    for one in state.run.passed:
        name = one.place if one.place in POINTS else ROWS[one.place][0]
        what = "killed" if (one.life, one.place, one.batch) in deaths else KINDS.get(one.kind, one.kind)
        row = {"driver": one.life, "batch": one.batch, "place": name, "simulated": what}
        if found is not None:
            at = seconds.get((one.life, one.batch, one.place))
            row |= {"process": pids.get(one.life), "real, s after the start": None if at is None else f"{at:.2f}"}
        rows.append(row)
    return pd.DataFrame(rows)
