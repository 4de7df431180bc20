"""A verdict on the screen: a headline that can be read across a room, the sentences, the handler's own error, the
facts on counter, state and run; and the output tape: all pushed values in order, a double, missing or wrong value
with a colour, a sign and a word.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

import pandas as pd

from ...node.access import register_in
from ...pipeline import spans
from ...stores.codec import Value, describe
from ...stores.interface import Inputs
from ...verdict import Run, Verdict
from ...verdict.damage import pass_of
from ...verdict.words import word as word
from ...verdict.words import words as words
from ..base.checks import given
from ..base.picture import Cell, Picture, cells_html, facts_row, says, table_of

DEATH = re.compile(r"(?=\bIncarnation \d+ (?:was killed|gave up))")
SHOWN = 60
TIMES = {2: "twice", 3: "3 times", 4: "4 times"}
WORLDS = {"simulated": "simulated", "spark": "on the cluster", "cluster": "on the cluster"}


def verdict(judged: Verdict) -> Picture:
    """Return the verdict in sentences, the output tape and the facts of a `Verdict`."""
    tape = f'<p class="eo-h" style="margin-top:12px">Output log</p>{tape_html(judged)}'
    sign, words, _ = headline(judged)
    text = f"{sign} {words} {explanation(judged)}"
    html = f"{verdict_html(judged)}{tape}{facts_html(judged)}"
    return Picture(html, tape_table(judged), text, "The output log as a table")


def headline(verdict: Verdict) -> tuple[str, str, str]:
    """Return (sign, words, mood) of a verdict; the mood is "good", "bad" or "none"."""
    if given(verdict, Verdict).run.error:
        return "!", "The handler failed.", "bad"
    if not verdict.consistent:
        return "✗", "Not exactly once.", "bad"
    if not verdict.reached:
        return "–", "Not reached.", "none"
    if verdict.silent:
        return "–", "No output.", "none"
    if verdict.unfinished:
        found = verdict.run.pushes
        return ("✓", "Exactly once so far.", "good") if found else ("…", "Nothing to judge yet.", "none")
    return "✓", "Exactly once.", "good"


def explanation(verdict: Verdict, deaths: int = 3) -> str:
    """Return the verdict's sentences without the words of the headline.

    Of many deaths only the last `deaths` are described, with the number of the earlier ones.
    """
    text = given(verdict, Verdict).sentence
    if not verdict.run.error:
        text = text.removeprefix(headline(verdict)[1].rstrip(".") + ": ")
    head, *told = DEATH.split(text)
    if left_out := len(told[:-deaths]):
        are = "death is" if left_out == 1 else "deaths are"
        told = [f"({left_out} earlier {are} not described.) ", *told[-deaths:]]
    text = "".join([head, *told]).strip()
    return text[:1].upper() + text[1:]


def verdict_html(verdict: Verdict, deaths: int = 3) -> str:
    """Return the box. Everything in it is escaped; the story of the deaths is an element of its own."""
    sign, words, mood = headline(verdict)
    said, *story = map(escape, DEATH.split(explanation(verdict, deaths), 1))
    said += "".join(f"<span class=eo-deaths>{one}</span>" for one in story)
    if verdict.run.error:
        said += f'<pre class="eo-traceback">{escape(verdict.run.error)}</pre>'
    return says(mood, f"{sign} {escape(words)}", said)


def facts_html(verdict: Verdict, ran: bool = True) -> str:
    """Return the three facts, or without `ran` the two that are right or wrong."""
    run, damage = given(verdict, Verdict).run, verdict.damage
    found, wanted = damage.counter, damage.expected_counter
    is_and_should = f"{found}</span> is · {wanted} should be {_tick(found == wanted, '✗ wrong')}"
    where, agrees = _state(verdict)
    state = f"{escape(where)} {_tick(agrees, '≠ wrong', '✓ agree') if agrees is not None else ''}"
    if run.error:  # then the right values are unknown
        is_and_should = f"{run.outcome.counter}</span> is · ? should be {_tick(None)}"
        state = f"{escape(where)} {_tick(None)}"
    counter = f'<span class="eo-counter"><span class="eo-big">{is_and_should}</span>'
    last = [("Run", run_html(verdict))] if ran else []
    return facts_row(("Counter in the database", counter), ("State and positions", state), *last)


def _state(verdict: Verdict) -> tuple[str, bool | None]:
    """Return (text, right) about the saved window against the saved positions; None: the pass is not over."""
    run, damage = verdict.run, verdict.damage
    positions = next((entry.value for entry in reversed(run.writes) if entry.part == "positions"), None)
    at = run.job.hour_at(min(positions.values())) if positions else 0
    newest = max((hour for hour, _ in run.state_count), default=0)
    hours = [f"hour {hour}" if hour else "the start" for hour in (newest, at)]
    where = f"both at {hours[1]}" if at == newest else "state at {}, positions at {}".format(*hours)
    kept = {"registers" if register_in(entry.part) else entry.part for entry in run.writes}
    if "registers" in kept and not kept & {"positions", "state"}:
        where = "no window and no positions: this handler keeps what it needs in registers"
    odd = damage.state_phrases()
    if verdict.unfinished and not odd and "registers" not in kept and at != newest:
        return run.job.said(f"{where}: in the middle of a pass"), None
    return run.job.said("; ".join([where, *odd])), not odd


def _tick(right: bool | None, bad: str = "", good: str = "✓") -> str:
    """Return the mark of a fact; None means that it was not judged."""
    if right is None:
        return '<span class="eo-dim">– not judged</span>'
    return f'<span class="eo-good">{good}</span>' if right else f'<b class="eo-bad">{bad}</b>'


def run_html(verdict: Verdict) -> str:
    """Return where the run took place, its duration, the number of its incarnations, and its replay token.

    Where real processes were killed, it has their pids, and those of the processes that took over.
    """
    run = verdict.run
    where, lives, pids = WORLDS.get(run.world, run.world), len(run.trace.lives()), _killed(run)
    took = f"{run.seconds * 1000:.0f} ms" if run.seconds < 0.1 else f"{run.seconds:.1f} s"
    said = f"{where} · {took} · {lives} incarnation{'s' * (lives != 1)}"
    if pids:
        said = f"killed for real {where}: {pids}, {took}"
    # A live run was struck by hand: its plan is empty, and its token would not replay these strikes.
    by_hand = not run.plan.faults and run.trace.deaths()
    token = f'<span> · replay <span class="eo-tag eo-token">{escape(run.plan.token)}</span></span>'
    killed = ' class="eo-killed"' if pids else ""
    return f"<span{killed}>{escape(said)}</span>{'' if by_hand else token}"


def _killed(run: Run) -> str:
    """Return the last pids of each node of which a process was killed; "" where no real process was killed."""
    starts = {start.life: start.detail for start in run.trace.lives() if start.detail.get("pid")}
    dead = [death.life for death in run.trace.deaths() if not death.text.startswith("gave up")]
    struck = sorted({starts[life].get("node", 0) for life in dead if life in starts})
    pids = [[f"pid {one['pid']}" for one in starts.values() if one.get("node", 0) == node] for node in struck]
    return "; ".join(" → ".join(["…"][: len(of) > 3] + of[-3:]) for of in pids)


@dataclass(frozen=True)
class Entry:
    """One place of the output: a record, or (`life` None) the gap where a record is missing."""

    item: int | None
    value: Value
    life: int | None = None
    inputs: Inputs = ()
    times: int = 1
    wrong: bool = False
    step: int | None = None
    line: int | None = None

    @property
    def gap(self) -> bool:
        """True where a record is missing."""
        return self.life is None

    @property
    def marks(self) -> list[str]:
        """The marks of the place: a sign and a word for each fault; empty when there is none."""
        if self.gap:
            return ["○ missing"]
        found = [f"× {TIMES.get(self.times, f'{self.times} times')}"] if self.times > 1 else []
        return [*found, "≠ wrong"] if self.wrong else found

    @property
    def number(self) -> str:
        """The value for display: one decimal."""
        if self.gap:
            return "—"
        is_number = isinstance(self.value, (int, float, Fraction)) and -(10**15) < self.value < 10**15
        return f"{float(self.value):.1f}" if is_number else describe(self.value)


def entries(verdict: Verdict) -> list[Entry]:
    """Return the places of a verdict's output log, in its order, with a gap where a record is missing.

    A record is compared with the right values of its pass; a gap stands behind the passes that should come before it.
    """
    run, damage, nearest = given(verdict, Verdict).run, verdict.damage, verdict.nearest or ()
    tape, passes, right = list[Entry](), list(map(pass_of, run.pushes)), defaultdict[Any, list[Value]](list)
    for push in nearest:
        right[pass_of(push)].append(push.value)
    lines = {(event.life, event.step): event.line for event in run.trace if event.line is not None}
    for number, (push, of) in enumerate(zip(run.pushes, passes, strict=True), 1):
        again = push.item in damage.duplicated and passes.count(of) > len(right[of])
        wrong = push.item in damage.wrong and push.value not in right[of]
        times, line = passes[:number].count(of) if again else 1, lines.get((push.life, push.step))
        tape.append(Entry(push.item, push.value, push.life, push.inputs, times, wrong, push.step, line))
    for number, push in enumerate(nearest):
        if push.item in damage.missing and pass_of(push) not in passes:
            before = set(map(pass_of, nearest[:number]))
            place = 1 + max((n for n, of in enumerate(passes) if of in before), default=-1)
            tape.insert(place, Entry(push.item, None, inputs=push.inputs[-1:]))
            passes.insert(place, pass_of(push))
    return tape


def cells(verdict: Verdict) -> list[Cell]:
    """Return the cells of a verdict's output log, each with its line in the table."""
    found, place = list[Cell](), 0
    for entry in entries(verdict):
        place += not entry.gap
        of = spans(hour for hour, _ in entry.inputs)
        readings = f"{len(entry.inputs)} readings of {of}" if entry.inputs and not entry.gap else ""
        by = "nobody" if entry.gap else f"incarnation {entry.life}"
        about = "nobody pushed it" if entry.gap else f"pushed by {by}{f' from {readings}' if readings else ''}"
        step = {} if entry.gap else {"step": f"{entry.life}.{entry.step}"}
        row = {
            "place": "" if entry.gap else place, "hour": entry.item, "average": entry.number, "pushed by": by,
            "readings": readings, "mark": ", ".join(entry.marks) or "✓",
        }  # fmt: skip
        kinds = "gap" if entry.gap else "again " * (entry.times > 1) + "odd" * entry.wrong
        hour = "" if entry.item is None else f"hour {entry.item}"
        data = step | ({"line": entry.line} if entry.line else {})
        found.append(Cell(entry.number, hour, entry.marks, kinds, about, data=data, row=row))
    return found


def tape_html(verdict: Verdict, one_line: bool = False) -> str:
    """Return the tape. A long tape shows the last 60 cells, and the number of earlier cells."""
    tape = cells(verdict)
    if not tape:
        return '<p class="eo-dim">Nothing has been pushed.</p>'
    if hidden := tape[:-SHOWN]:
        odd = sum(1 for cell in hidden if cell.marks)
        before = Cell("", f"… {len(hidden)} before", [f"{odd} damaged"] if odd else (), "before")
        tape = [before, *tape[-SHOWN:]]
    lines = ("eo-one-line", 'data-follow="end" tabindex="0"') if one_line else ()
    return cells_html(tape, "Output log, oldest first", *lines)


def tape_table(verdict: Verdict) -> pd.DataFrame:
    """Return the tape as a DataFrame: place, hour, average, pushed by, readings, mark."""
    return table_of(cells(verdict), ["place", "hour", "average", "pushed by", "readings", "mark"])
