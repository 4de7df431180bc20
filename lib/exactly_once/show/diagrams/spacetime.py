"""The space–time diagram of a verdict, a counterexample, a run or a trace: a line for each incarnation and part of a
store, a dot with its Lamport stamp for each event.

After L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978, figure 1.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from ...explore.proof import Counterexample
from ...trace import Event, Trace
from ...verdict import Run, Verdict
from ...verdict.outcome import output_index
from ..base.canvas import Mark, arrow, box, cross, group, line, mark, svg, words
from ..base.canvas import lane as titled
from ..base.checks import given
from ..base.picture import Picture, scrolling
from .excerpt import Marks, item_of_interest, part_title, trace_table
from .layout import EDGE, RADIUS, Layout, ends, lay_out, stamped

Source: TypeAlias = Verdict | Counterexample | Run | Trace
Spot: TypeAlias = tuple[float, float]
DIAGRAM, TABLE = "Space–time diagram", "The whole trace as a table, in the clocks' order"
CHARACTER, WIDE = 6.7, 8.6  # pixels of one of the diagram's letters, on the average and at most in a verb
BETWEEN = 6  # pixels between two words that stand side by side
BOLD = 1.15  # times as wide
MOST_WORDS = 60
SAID = {"again": " × again", "wrong": " ≠ wrong", "here": " ✗ here"}
LEAST = 7  # characters; a shorter cut tells nothing, and is left to the title and the table


def spacetime(source: Source, item: int | None = None) -> Picture:
    """Return the space–time diagram of one item, with the table that says the same.

    `source` is a `Verdict`, a `Counterexample`, a `Run` or a `Trace`; `item` an hour (None: the hour at which the
    first incarnation died, or was to die; where a verdict or a counterexample says what is wrong, the steps that led
    there).
    """
    return Picture(spacetime_picture(source, item), trace_table(_run_in(source)[1]), unfold=TABLE)


def item_shown(run: Run) -> int | None:
    """Return the item that a run's diagram shows: the item of the first death, or of a death that the plan wanted."""
    died = next((death.item for death in given(run, Run).trace.deaths() if death.item is not None), None)
    wanted = next((fault.item for fault in run.plan.faults if fault.item), None)
    return died or wanted or item_of_interest(run.trace)


def spacetime_picture(source: Source, item: int | None = None, width: int = 1000, whole: bool = False) -> str:
    """Return the diagram that `spacetime` describes, or that of the `whole` run, in a frame that scrolls when it is
    wider than its place, from its right end where that is the damage.
    """
    run, trace = _run_in(source)
    on_damage = not whole and item is None and run is not source
    if item is None and not whole and run is not trace:
        item = item_shown(run)
    if on_damage:
        layout = lay_out(trace, item, width, source=source)
    elif whole:
        layout = lay_out(trace, width=width, part=list(trace), marks=Marks.of(source))
    else:
        layout = lay_out(trace, item, width, marks=Marks.of(source))
    return scrolling(layout_svg(layout), DIAGRAM, "eo-ends" if on_damage else "")


def _run_in(source: Any) -> tuple[Any, Trace]:
    """Return (the run, its trace) of a source; of a trace there is no other run."""
    given(source, Verdict, Counterexample, Run, Trace)
    run = source.run if isinstance(source, (Verdict, Counterexample)) else source
    return run, run if isinstance(run, Trace) else run.trace


def layout_svg(layout: Layout, over: Iterable[Mark] = ()) -> str:
    """Return a layout as SVG; the marks in `over` are drawn on top of it."""
    if not layout.drawn:
        return '<p class="eo-dim">Nothing has happened yet.</p>'
    marks = [mark for part in (_lines, _messages, _takeovers, _dots, _labels) for mark in part(layout)]
    marks += [*ends(layout, layout.width, BOLD * CHARACTER), *_titles(layout), *over]
    return svg(marks, layout.width, layout.height, summary(layout))


def summary(layout: Layout) -> str:
    """Return the content of the diagram in one sentence, for readers who cannot see it."""
    deaths = "; ".join(f"{event.process}: {event.text}" for event in layout.drawn if event.verb == "dies")
    what = f"hour {layout.item}" if layout.item else "the run"
    deaths = deaths or "No incarnation died"
    return f"Space–time diagram of {what}, {len(layout.drawn)} events. {deaths}. The same stands beside it in words."


def _lines(layout: Layout) -> Iterator[Mark]:
    """Yield the lanes: an incarnation's line from its first event to its last, dotted after a death."""
    for lane, first, last, died in layout.lines():
        if first is not None:
            yield line(first, lane.y, last, lane.y, "line")
        if died:
            yield line(last, lane.y, layout.width - EDGE, lane.y, "gone")


def _titles(layout: Layout) -> list[Mark]:
    """Return the title of each lane, in a group that a page can keep in view when the drawing is scrolled."""
    drawn = [titled(lane.title, lane.y, lane.under) for lane, *_ in layout.lines()]
    return [group(box(0, 0, layout.left - 12, layout.height, "ground"), *drawn, css="lanes")]


def _messages(layout: Layout) -> Iterator[Mark]:
    """Yield requests as arrows and replies as dashed arrows; one that never arrived ends half-way in a cross."""
    arrived = {
        event.message: event for event in layout.drawn if event.kind == "receive" and part_title(event.process)
    }
    answered = {event.message: event for event in layout.drawn if event.kind == "receive" and event.verb == "reply"}
    sent = {event.message: event for event in layout.drawn if event.kind == "send"}
    odd = oddities(layout)
    for event in layout.drawn:
        if event.kind == "send" and event.verb != "dies":
            there = arrived.get(event.message)
            target = layout.lanes.get(event.detail.get("part"))
            if there is not None:
                yield message(layout.at(event), layout.at(there), "faulty" if id(there) in odd else "ask")
            elif target is not None:
                x, y = layout.at(event)
                yield _cut(x, y, x + 14, (y + target.y) / 2, "request cut off")
        elif event.message in arrived and part_title(event.process):
            first = sent.get(event.message.removesuffix("again")) if event.message.endswith("again") else None
            if first is not None:  # this request has arrived before: its arrow begins where it was sent
                yield message(layout.at(first), layout.at(event), "faulty" if id(event) in odd else "ask")
            back = answered.get(event.message.replace(">", "<"))
            x, y = layout.at(event)
            if back is not None:
                yield message((x, y), layout.at(back), "answer")
            elif life := layout.lanes.get(f"incarnation {event.life}"):
                yield _cut(x, y, x + 14, (y + life.y) / 2, "reply cut off", "answer")


def _takeovers(layout: Layout) -> Iterator[Mark]:
    """Yield the message from a dead incarnation to its successor."""
    for death, successor in layout.takeovers():
        x, y = layout.at(death)
        yield message((x, y), layout.at(successor), "over")
        yield words(x + 22, y + 4, f"{successor.process} takes over", "say")


def message(start: Spot, end: Spot, kind: str) -> Mark:
    """Return the arrow of a message between the rims of two dots."""
    return arrow(start, end, kind, "faulty-tip" if kind in ("faulty", "over") else "ask-tip", RADIUS)


def _cut(x1: float, y1: float, x2: float, y2: float, said: str, kind: str = "ask") -> Mark:
    return group(line(x1, y1, x2, y2, kind), cross(x2, y2, 4), words(x2 + 8, y2 + 4, said, "bad"))


def _dots(layout: Layout) -> Iterator[Mark]:
    """Yield each event as a dot with its stamp: open for replies, output and counter, else filled."""
    odd = oddities(layout)
    for event in layout.drawn:
        x, y = layout.at(event)
        if event.verb == "dies":
            yield group(cross(x, y), title=f"{event.stamp}: {event.text}")
            continue
        colour = "red" if id(event) in odd else layout.lanes[event.process].colour
        style = "open" if event.verb == "reply" or event.process in ("output", "counter") else "full"
        yield stamped(event.stamp, x, y, style, f"{event.stamp}: {event.process}, {event.text}", tone=colour)


def _labels(layout: Layout) -> Iterator[Mark]:
    """Yield the name of each step above its dot, and the result below the store's dot."""
    odd, room, before, told = oddities(layout), _room(layout), {}, set()
    answers = {event.message: event.text for event in layout.drawn if event.verb == "reply"}
    for event in layout.drawn:
        x, y = layout.at(event)
        if part_title(event.process):
            if (event.message, y) in told:
                continue  # of a step on several cells of a queue the answer is written once
            told |= {(event.message, y)} if event.message else set()
            below = _came_of(event, answers)
            if len(below) > room[id(event)]:
                below = below.partition(": ")[0]  # "refused": the hint and the table give the error
            if mark := odd.get(id(event)):
                said = f"{below}{SAID[mark]}"
                below = said if len(said) * BOLD <= room[id(event)] else f"{SAID[mark].split()[0]} {below}"
            yield _words(x, y + 21, [below], "bad" if mark else "sub", room=room[id(event)])
        elif event.verb == "dies":
            yield _words(x - 6, y - 13, [f"✖ {event.text}"], "bad", "start")
        elif event.verb == "start":
            yield _words(x, y + 21, ["start"], "sub")
        elif event.kind == "send" or event.verb in ("fault", "choose", "raised"):
            verb, _, rest = event.text.partition(" ")
            if len(rest) > room[id(event)]:
                rest = rest.partition(" to ")[0]  # the arrow shows the target
            there, same = before.get(event.process, (0, ""))
            crowded = verb == same and x - there < WIDE * len(verb)  # in a burst the word is written once
            lines = [rest] if rest and crowded else [verb, rest] if rest else [verb]
            before[event.process] = x, verb
            yield _words(x, y - 13 - 12 * (len(lines) - 1), lines, room=room[id(event)])


def _room(layout: Layout) -> dict[int, int]:
    """Return how many characters fit above or below each event, before its neighbours' or the drawing's end."""
    lanes, room = {}, {}
    for event in layout.drawn:
        if part_title(event.process) or event.kind == "send" or event.verb in ("fault", "choose", "raised", "dies"):
            lanes.setdefault(event.process, []).append((layout.at(event)[0], event))
    for lane in lanes.values():
        lane.sort(key=lambda each: each[0])
        gaps = [after[0] - before[0] for before, after in itertools.pairwise(lane)]
        for (_, event), before, after in zip(lane, [math.inf, *gaps], [*gaps, math.inf], strict=True):
            nearest = min(before, after, 2 * (layout.width - layout.at(event)[0]))
            room[id(event)] = min(MOST_WORDS, max(4, int((nearest - BETWEEN) / CHARACTER)))
    return room


def _came_of(event: Event, answers: Mapping[str | None, str]) -> str:
    """Return the result of a store's operation in few words: the value that it holds now, or the one it returned."""
    if event.process == "input":
        return ""
    if event.verb == "close_cells":
        return "closed"
    answered = event.text in ("read", "fetch", "any_filled")
    text = answers.get((event.message or "").replace(">", "<"), "") if answered else event.text
    text = re.sub(r"^from node \d+: ", "", text)  # the arrow shows it
    return text.replace("window of ", "").replace("an empty window", "empty").replace("nothing yet", "empty")


def _words(
    x: float, y: float, lines: list[str], css: str = "", anchor: str = "middle", room: int = MOST_WORDS
) -> Mark:
    about = " ".join(lines) if any(len(line) > room for line in lines) else ""
    lines = [line if len(line) <= room else line[: room - 1] + "…" if room >= LEAST else "" for line in lines]
    spans = [mark("tspan", words=said, x=x, dy=12 if number else 0) for number, said in enumerate(lines)]
    return words(x, y, "", css, anchor, title=about, within=spans)


def oddities(layout: Layout) -> dict[int, str]:
    """Return {id: mark} of the arrivals that did damage, or that append a second time."""
    arrived = [event for event in layout.drawn if part_title(event.process) and layout.marks.is_damage(event)]
    return dict.fromkeys(repeats(layout), "again") | {id(event): layout.marks.on(event) for event in arrived}


def repeats(layout: Layout) -> set[int]:
    """Return the ids of the events that append to the output or the counter for an item a second time."""
    seen, found = Counter(), set()
    for event in layout.trace:
        queued = output_index(event.process) is not None and event.verb == "cas" and event.text != "refused"
        if event.item and (queued or (event.process in ("output", "counter") and event.verb in ("append", "add"))):
            what = "output" if queued else event.process
            seen[what, event.item] += 1
            if seen[what, event.item] > 1:
                found.add(id(event))
    return found
