"""The space–time diagram as SVG: a line for each incarnation and part of a store, a dot with its Lamport stamp for
each event.

After L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978, figure 1.
"""

import itertools
import math
import re
from collections import Counter

from ...trace.events import life_name, takeover
from ...verdict import Verdict
from ...verdict.outcome import output_index
from ..base.canvas import Labels, arrow, box, cross, dot, group, line, mark, svg, words
from ..base.canvas import lane as titled
from ..base.checks import given
from .excerpt import STRUCK, Marks, excerpt, window
from .layout import QUIET, RADIUS, ends, lay_out, stamped
from .table import part_title

CHARACTER, WIDE = 6.7, 8.6  # pixels of one of the diagram's letters, on the average and at most in a verb
BETWEEN = 6  # pixels between two words that stand side by side
BOLD = 1.15  # times as wide
MOST_WORDS = 60
SAID = {"again": " × again", "wrong": " ≠ wrong", "here": " ✗ here"}
FAULTS = {name: name.partition(" ")[0] for name in ("lost request", "late request", "duplicated request")}
FAULTS["lost reply"] = "reply lost"
LEAST = 7  # characters; a shorter cut tells nothing, and is left to the title and the table


def layout_svg(layout, over=()):
    """Return a layout as SVG; the marks in `over` are drawn on top of it."""
    if not layout.drawn:
        return '<p class="eo-dim">Nothing has happened yet.</p>'
    quiet = layout.named is not None
    parts = _lines, _messages, _takeovers, _dots, _quiet_labels if quiet else _labels, _ends, _titles
    marks = [mark for part in parts for mark in part(layout)]
    css = "eo-st eo-quiet" if quiet else "eo-st"
    return svg([*marks, *over], layout.width, layout.height, summary(layout), css)


def quiet_svg(verdict, item=None, width=900):
    """Return (the quiet diagram of the events of `item` in a `Verdict`'s run, and of those that led to the first
    damage; the stamps of its named steps). Only these have names; the routine is thin. It is at least `width` pixels
    wide. A run that goes on is drawn at `item` alone.
    """
    trace = given(verdict, Verdict).run.trace
    events, marks = window(verdict, item, int((width - 200) / QUIET.column))
    if verdict.unfinished:
        events, ended = excerpt(trace, item), marks.ends if item in verdict.damage.missing else {}
        marks = Marks(marks.steps, ended)
    layout = lay_out(trace, item, width, list(events), QUIET, marks)
    layout.named = _causes(layout)
    named = [event.stamp for event in layout.drawn if event.kind == "send" and event.message in layout.named]
    return layout_svg(layout), sorted(named)


def _causes(layout):
    """Return {message: its fault, or ""} of the requests that a fault struck, that did damage, or that damage
    repeats.
    """
    struck = [event for event in layout.drawn if event.verb == "fault" and event.text in FAULTS]
    found = {f"{event.life}.{event.step}>": FAULTS[event.text] for event in struck}
    again, arrived = repeats(layout), [event for event in layout.drawn if part_title(event.process)]
    for event in arrived:
        if id(event) in again:
            like = event.process, event.verb, event.item
            first = next(one for one in arrived if (one.process, one.verb, one.item) == like)
            found.setdefault(first.message, "")
        if event.kind == "receive" and (id(event) in again or layout.marks.on(event)):
            found.setdefault(event.message.removesuffix("again"), "")
    return found


def summary(layout):
    """Return the content of the diagram in one sentence, for readers who cannot see it."""
    deaths = "; ".join(f"{event.process}: {event.text}" for event in layout.drawn if event.verb == "dies")
    what = f"hour {layout.item}" if layout.item else "the run"
    deaths = deaths or "No incarnation died"
    return f"Space–time diagram of {what}, {len(layout.drawn)} events. {deaths}. The same stands beside it in words."


def _lines(layout):
    """Yield the lanes: an incarnation's line from its first event to its last, dotted after a death."""
    end = layout.width - 10
    for lane in {lane.name: lane for lane in layout.lanes.values()}.values():
        own = [layout.at(event)[0] for event in layout.drawn if event.process == lane.name]
        died = any(event.process == lane.name and event.verb == "dies" for event in layout.drawn)
        first = own[0] if own and lane.life > 1 else layout.left
        last = own[-1] if died else end
        if own or not lane.life:
            yield line(first, lane.y, last, lane.y, "line")
        if died:
            yield line(last, lane.y, end, lane.y, "gone")


def _ends(layout):
    """Yield the words at the lines: what never came there, or who waits for what."""
    return ends(layout, layout.width, BOLD * CHARACTER)


def _titles(layout):
    """Yield the title of each lane, in a group that a page can keep in view when the drawing is scrolled."""
    lanes = {lane.name: lane for lane in layout.lanes.values()}.values()
    drawn = [box(0, 0, layout.left - 12, layout.height, "ground")]
    drawn += [titled(lane.title, lane.y, lane.under) for lane in lanes]
    yield group(*drawn, css="lanes")


def _messages(layout):
    """Yield each step's requests as arrows and its replies as dashed arrows, as one mark."""
    steps, odd = {}, oddities(layout)
    for event in layout.drawn:
        if event.verb != "dies":
            steps.setdefault((event.life, event.step), []).append(event)
    arrows = _Arrows(layout, odd)
    for (life, step), events in steps.items():
        drawn = [arrow for event in events for arrow in arrows.of(event)]
        if drawn:
            worst = next((odd[id(event)] for event in events if id(event) in odd), "")
            data = {"data_step": f"{life}.{step}"} | ({"data_line": line} if (line := events[0].line) else {})
            more = {}
            if layout.named is not None:
                about = [f"{one.process} at {one.stamp}: {one.text}" for one in (events[0], events[-1])]
                more = {"title": "; ".join(dict.fromkeys(about)), "tone": layout.lanes[life_name(life)].colour}
            yield group(*drawn, css=f"trip {worst}".rstrip(), **data, **more)


class _Arrows:
    """The messages of a layout as arrows; one that never arrived ends half-way in a cross."""

    def __init__(self, layout, odd):
        self.layout, self.odd = layout, odd
        received = [event for event in layout.drawn if event.kind == "receive"]
        self.arrived = {event.message: event for event in received if part_title(event.process)}
        self.answered = {event.message: event for event in received if event.verb == "reply"}
        self.sent = {event.message: event for event in layout.drawn if event.kind == "send"}

    def of(self, event):
        """Yield the arrows that begin at an event, and the arrow of a request that arrives once more."""
        x, y = self.layout.at(event)
        if event.kind == "send" and event.verb != "dies":
            there, target = self.arrived.get(event.message), self.layout.lanes.get(event.detail.get("part"))
            if there is not None:
                yield self._ask(event, there)
            elif target is not None:
                yield _cut(x, y, x + 14, (y + target.y) / 2, "request cut off")
        elif event.message in self.arrived and part_title(event.process):
            first = self.sent.get(event.message.removesuffix("again")) if event.message.endswith("again") else None
            if first is not None:  # this request has arrived before: its arrow begins where it was sent
                yield self._ask(first, event)
            back, life = self.answered.get(event.message.replace(">", "<")), f"incarnation {event.life}"
            if back is not None:
                quiet = self.layout.named is not None
                there = self.layout.at(back)
                yield line(x, y, *there, "answer") if quiet else message((x, y), there, "answer")
            elif life in self.layout.lanes:
                yield _cut(x, y, x + 14, (y + self.layout.lanes[life].y) / 2, "reply cut off", "answer")

    def _ask(self, event, there):
        start, end = self.layout.at(event), self.layout.at(there)
        if not self.layout.is_named(event):
            return group(line(*start, *end, "hit"), line(*start, *end, "ask"))
        return message(start, end, "faulty" if id(there) in self.odd else "ask")


def _takeovers(layout):
    """Yield the message from a dead incarnation to its successor."""
    starts = {event.message: event for event in layout.drawn if event.verb == "start" and event.message}
    for event in layout.drawn:
        successor = starts.get(takeover(event.life)) if event.verb == "dies" else None
        if successor is not None:
            x, y = layout.at(event)
            yield message((x, y), layout.at(successor), "over")
            yield words(x + 22, y + 4, f"{successor.process} takes over", "say")


def message(start, end, kind):
    """Return the arrow of a message between the rims of two dots."""
    return arrow(start, end, kind, "faulty-tip" if kind in ("faulty", "over") else "ask-tip", RADIUS)


def _cut(x1, y1, x2, y2, said, kind="ask"):
    return group(line(x1, y1, x2, y2, kind), cross(x2, y2, 4), words(x2 + 8, y2 + 4, said, "bad halo"))


def _dots(layout):
    """Yield each event as a dot with its stamp: open for replies, output and counter, else filled. An event that the
    drawing does not name is a small dot.
    """
    odd = oddities(layout)
    for event in layout.drawn:
        (x, y), lane = layout.at(event), layout.lanes[event.process]
        about = f"{event.stamp}: {event.process}, {event.text}"
        if event.verb == "dies":
            said = layout.named is not None and not event.text.startswith("gave up")  # then its words say all
            yield group(cross(x, y), title="" if said else f"{event.stamp}: {event.text}")
        elif (event.verb == "reply" and layout.named is not None) or not layout.is_named(event):
            yield dot(x, y, 3.4, title=about, fill=lane.colour)
        else:
            colour = "red" if id(event) in odd else lane.colour
            style = "open" if event.verb == "reply" or event.process in ("output", "counter") else "full"
            data = {"data_step": f"{event.life}.{event.step}"} if event.kind == "send" else {}
            yield stamped(event.stamp, x, y, style, about, tone=colour, **data)


def _labels(layout):
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


def _quiet_labels(layout):
    """Yield the names of the named steps above their dots, and their results beside; of all others the hints tell."""
    odd, labels = oddities(layout), Labels(layout.width)
    answers = {event.message: event.text for event in layout.drawn if event.verb == "reply"}
    worst = {event.message: odd[id(event)] for event in layout.drawn if id(event) in odd}
    for event in sorted(layout.drawn, key=lambda event: event.verb != "dies"):  # deaths are named in any case
        x, y = layout.at(event)
        if part_title(event.process):
            if layout.is_named(event):
                mark = odd.get(id(event))
                said = f"{_came_of(event, answers)}{SAID.get(mark, '')}"
                yield labels.beside(x, y + 4, said, "bad" if mark else "strong", 13)
        elif event.verb == "dies":
            said = f"✖ {'gave up: no reply' if event.text.startswith('gave up') else event.text}"
            yield labels.higher(x - 6 + len(said) * CHARACTER / 2, y - 14, said, "bad halo")
        elif event.kind == "send" and layout.is_named(event):
            fault, mark = layout.named[event.message], worst.get(event.message)
            said = event.text if event.verb == "save" else event.verb
            said += f": {fault}" if fault else " again" if mark == "again" else ""
            yield labels.higher(x, y - 14, said, "bad halo" if fault or mark else "strong halo")
        elif event.verb in STRUCK and event.text not in FAULTS:
            yield cross(x, y, 4, "cross small")
            yield labels.higher(x, y - 14, "asleep" if event.text == "pause" else event.text, "bad halo")


def _room(layout):
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


def _came_of(event, answers):
    """Return the result of a store's operation in few words: the value that it holds now, or the value that it
    returned.
    """
    if event.process == "input":
        return ""
    if event.verb == "close_cells":
        return "closed"
    answered = event.text in ("read", "fetch", "any_filled")
    text = answers.get((event.message or "").replace(">", "<"), "") if answered else event.text
    text = re.sub(r"^from node \d+: ", "", text)  # the arrow shows it
    return text.replace("window of ", "").replace("an empty window", "empty").replace("nothing yet", "empty")


def _words(x, y, lines, kind="", anchor="middle", room=MOST_WORDS):
    about = " ".join(lines) if any(len(line) > room for line in lines) else ""
    lines = [line if len(line) <= room else line[: room - 1] + "…" if room >= LEAST else "" for line in lines]
    spans = [mark("tspan", words=said, x=x, dy=12 if number else 0) for number, said in enumerate(lines)]
    return words(x, y, "", kind, anchor, title=about).with_marks(*spans)


def oddities(layout):
    """Return {id: mark} of the arrivals that did damage, or that append a second time."""
    arrived = [event for event in layout.drawn if part_title(event.process) and layout.marks.is_damage(event)]
    return dict.fromkeys(repeats(layout), "again") | {id(event): layout.marks.on(event) for event in arrived}


def repeats(layout):
    """Return the ids of the events that append to the output or the counter for an item that has an append
    already.
    """
    seen, found = Counter(), set()
    for event in layout.trace:
        queued = output_index(event.process) is not None and event.verb == "cas" and event.text != "refused"
        if event.item and (queued or (event.process in ("output", "counter") and event.verb in ("append", "add"))):
            what = "output" if queued else event.process
            seen[what, event.item] += 1
            if seen[what, event.item] > 1:
                found.add(id(event))
    return found
