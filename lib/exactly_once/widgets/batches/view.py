"""The micro-batch timeline as HTML: batches as columns, the checkpoint's logs, the tasks and the sink as rows."""

from html import escape

from ... import show
from ...faults import POINTS
from ...show.base.canvas import box, cross, diamond, dot, group, line, svg, table_of, words
from ...show.base.tape import Cell, cells_html
from ...show.diagrams.layout import LIFE_COLOURS
from ..base.controls import button, field, segments
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
LETTER, LANE, END = 12, 31, 7  # pixels: from a column's left edge to its letters, to its first life; behind its last
Y = {place: TOP + PITCH * number for number, place in enumerate(PLACES)}
HEIGHT = Y["E"] + 20


def fragments(model, width):
    """Return {trait: HTML} of a `BatchesModel`."""
    state = model.state
    return {
        "toolbar": toolbar(model),
        "says": says_html(state),
        "stage": Drawing(state, max(width, LEAST)).html(),
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
    words = f"For real: {found.sentence} Processes: {', '.join(str(life.pid) for life in found.lives)}; " + (
        "they passed the places of the simulated drivers, in the same order."
        if same
        else "they did not pass the places of the simulated drivers."
    )
    return f'<span class="eo-batch-timeline-of-real">◆ {escape(words)}</span>'


def _passed(marks):
    return [mark for mark in marks if mark.letter in POINTS]


class Drawing:
    """The drawing's marks, and above them the letters as buttons. A mark of a life has its line in the table."""

    def __init__(self, state, width=WIDE):
        self.state, self.width = state, width
        self.left = 142 if width >= WIDE else 62
        self.column = (width - self.left - 2) / JOB.items
        self.lives, found = lives_of(state.run), state.found
        real = _passed(state.marks or (found.marks if found else ()))
        self.found = {(mark.life, mark.batch, mark.letter): mark for mark in real}
        most = max(len(self._in(batch)) for batch in range(JOB.items))
        self.lane = min(26.0, (self.column - LANE - END) / max(1, most - 1))
        self.side = min(7.0, self.lane / 2 - 0.5)  # half of a mark

    def _in(self, batch):
        return [life for life, (first, last) in self.lives.items() if first <= batch <= last]

    def x(self, batch, life=None):
        """Return the place of a column's left edge, or of a life in it."""
        edge = self.left + self.column * batch
        return edge if life is None else edge + LANE + self.lane * self._in(batch).index(life)

    def html(self):
        """Return the drawing with its letters as HTML."""
        _, headline, rest = told(self.state)
        drawn = svg(self.marks(), self.width, HEIGHT, f"{headline} {rest}", "eo-st eo-quiet")
        letters = "".join(self._letter(letter, batch) for letter in POINTS for batch in range(JOB.items))
        return (
            f'{drawn}<div class="eo-batch-timeline-letters" role="toolbar" aria-label="Places for a kill" '
            f'data-arrows data-across="{JOB.items}">{letters}</div>'
        )

    def marks(self):
        """Yield the marks: rows, columns, lives, what the lives passed and did, and deaths."""
        yield words(2, 16, "batch N" if self.left < 100 else "batch N, hour N+1", "sub")
        for place, (name, more) in ROWS.items():
            yield box(0, Y[place] - 13, self.width, 26, "ground", rx=3)
            yield words(6, Y[place] + 4, name, "lane name")
            if self.left > 100:
                yield words(self.left - 6, Y[place] + 4, more, "sub", "end")
        for batch in range(JOB.items):
            x = self.x(batch)
            yield line(x, 24, x, HEIGHT, "line")
            yield words(x + LETTER - 4, 16, batch, "name")
        yield from map(self._life, self.lives)
        for one in self.state.run.passed:
            yield self._mark(one)
        for life, letter, batch in self.state.run.deaths:
            said = f"driver {life} is killed at {letter} of batch {batch}"
            yield cross(self.x(batch, life), Y[letter], 6 if self.side > 6 else 4, title=said)

    def _life(self, life):
        first, last = self.lives[life]
        own = [one for one in self.state.run.passed if one.life == life]
        marks = []
        for batch in range(first, last + 1):
            x, here = self.x(batch, life), [Y[one.place] for one in own if one.batch == batch]
            low = HEIGHT if batch < last else max(here)
            marks.append(line(x, 26 if batch > first else min(here), x, low, "life"))
        y = min(Y[one.place] for one in own if one.batch == first) - 10
        x = self.x(first, life)
        roomy = self._in(first)[-1] == life and x + 54 < self.x(first + 1)
        marks.append(words(x + 5, y, f"driver {life}" if roomy else life, "life-name"))
        return group(*marks, css="eo-batch-timeline-life", tone=_colour(life))

    def _mark(self, one):
        """Return the mark of what a life passed or did: a dot, beside it that of a process, or a square in a row."""
        x, y, side, row = self.x(one.batch, one.life), Y[one.place], self.side, self._row(one)
        if one.place in POINTS:
            real = self.found.get((one.life, one.batch, one.place))
            marks = [dot(x, y, 2.6, "tick")]
            if real is not None:
                marks.append(diamond(x + 7 * (self.lane > 18), y, 5, "real", title=str(real)))
            return group(*marks, css="eo-batch-timeline-life", tone=_colour(one.life), row=row)
        title = f"driver {one.life}, batch {one.batch}, {ROWS[one.place][0]}: {KINDS[one.kind]}"
        marks = [box(x - side, y - side, 2 * side, 2 * side, rx=2)]
        if one.kind == "again" and side > 6:
            marks.append(words(x, y + 4, "2", "twice"))
        return group(*marks, css=f"eo-batch-timeline-mark {one.kind}", title=title, tone=_colour(one.life), row=row)

    def _row(self, one):
        """Return the line in the table of what a life passed or did, with the process's mark where there is one."""
        killed = (one.life, one.place, one.batch) in self.state.run.deaths
        name = one.place if one.place in POINTS else ROWS[one.place][0]
        what = "killed" if killed else KINDS.get(one.kind, one.kind)
        row, found = {"driver": one.life, "batch": one.batch, "place": name, "simulated": what}, self.state.found
        if found is not None:
            mark, pids = self.found.get((one.life, one.batch, one.place)), {at.number: at.pid for at in found.lives}
            at = None if mark is None else f"{mark.wall - found.marks[0].wall:.2f}"
            row |= {"process": pids.get(one.life), "real, s after the start": at}
        return row

    def _letter(self, letter, batch):
        x, chosen = self.x(batch) + LETTER, (letter, batch) in self.state.kill
        what = f"{letter} of batch {batch}, {WHERE[letter].format(batch).replace('was', 'is').replace('did', 'does')}"
        do = "take the kill away from" if chosen else "kill the driver at"
        return (
            f'<button type="button" class="eo-letter{" eo-chosen" if chosen else ""}" data-do="kill" '
            f'data-value="{letter}{batch}" data-key="kill-{letter}{batch}" aria-pressed="{str(chosen).lower()}" '
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
        hours, averages = found.rows["hour"], found.rows["average"]
        before = [hour in list(hours)[:number] for number, hour in enumerate(hours)]
        cells = [
            Cell(f"{average:.1f}", f"hour {hour}", ("× twice",) if again else (), "again" if again else "")
            for hour, average, again in zip(hours, averages, before, strict=True)
        ]
        held.append(("◆ Sink, for real", cells_html(cells, "The sink’s rows for real, oldest first"), found.counter))
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


def steps_table(state):
    """Return all that the lives did as a DataFrame, with the real processes' marks where there are any."""
    return table_of(Drawing(state).marks())
