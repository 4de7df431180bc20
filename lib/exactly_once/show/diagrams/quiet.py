"""The quiet space–time diagram: routine is thin and nameless, the causes of the damage are bold and named.

Each incarnation has its own shape besides its colour. Parts that are asked alike share a line.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ...trace import life_name
from ...verdict import Verdict
from ..base.canvas import Labels, arrow, box, cross, diamond, dot, group, line, mark, svg, words
from ..base.checks import given
from ..base.picture import scrolling
from .excerpt import Marks, excerpt, is_drawn, part_title, window
from .layout import EDGE, Heights, Layout, ends, lanes_of
from .spacetime import DIAGRAM, repeats, summary

LEFT, MARGIN = 122, 60  # left of the lines, and between the last event and the right edge, for the box of a value
HEIGHTS, CLOSER = Heights(40, 24, 29, 29), Heights(34, 21, 29, 29)  # the latter where there are several nodes
LEAST_STEP, MOST_STEP = 9.5, 42
FAULTS = {name: name.partition(" ")[0] for name in ("lost request", "late request", "duplicated request")}
FAULTS["lost reply"] = "reply lost"
TIMES = {2: "a second", 3: "a third"}
HALF = 10  # half of a named dot
CHARACTER = 7.5  # pixels of a bold letter, on the average


def quiet_picture(judged: Verdict, item: int | None = None, width: float = 1000) -> tuple[str, list[int]]:
    """Return (the diagram of the events of `item` in a `Verdict`'s run, and of those that led to the first damage, at
    least `width` pixels wide, in a frame that scrolls; the stamps of its named steps). A run that goes on is drawn at
    `item` alone.
    """
    drawing = _Drawing(given(judged, Verdict), item, width)
    stamps = sorted(drawing.sends[name].stamp for name in drawing.named if name in drawing.sends)
    return scrolling(drawing.svg(), DIAGRAM), stamps


class _Drawing:
    def __init__(self, verdict: Verdict, item: Any, width: Any) -> None:
        self.verdict, trace = verdict, verdict.run.trace
        events, marks = window(verdict, item, int((width - LEFT - MARGIN) / LEAST_STEP))
        if verdict.unfinished:
            events, ended = excerpt(trace, item), marks.ends if item in verdict.damage.missing else {}
            marks = Marks(marks.steps, ended)
        drawn = [event for event in events if is_drawn(event)]
        heights = CLOSER if any(start.detail.get("node") for start in trace.lives()) else HEIGHTS
        lanes = lanes_of(trace, events, drawn, heights, quiet=True)
        self.layout = Layout(events, item, width, LEFT, lanes, drawn, marks).spread(MARGIN, LEAST_STEP, MOST_STEP)
        self.sends = {event.message: event for event in drawn if event.kind == "send" and event.verb != "dies"}
        # {message: its fault}; {id of an arrival: its number among the arrivals of the item}
        self.fault_of, self.count = {}, {}
        self.named = self._guilty()
        self.over, self.labels = [], Labels(width)  # the parts drawn on top; the places of words

    def svg(self) -> str:
        layout = self.layout
        if not layout.drawn:
            return '<p class="eo-dim">Nothing has happened yet.</p>'
        struck = list(self._ends())
        missing = ends(layout, layout.width - EDGE, CHARACTER)
        marks = [*self._lines(), *self._takeovers(), *self._trips(), *missing, *struck, *self.over]
        return svg(marks, layout.width, layout.height - 15, summary(layout), "eo-st eo-quiet")

    def _guilty(self) -> dict[Any, Any]:
        """Return {message: "first", "again" or "wrong"} of the requests that caused the damage or were struck by a
        fault.
        """
        layout, again, found = self.layout, repeats(self.layout), {}
        arrived = [e for e in layout.drawn if e.kind == "receive" and part_title(e.process)]
        for event in layout.drawn:
            if event.verb == "fault" and event.text in FAULTS:
                message = f"{event.life}.{event.step}>"
                found[message], self.fault_of[message] = "first", FAULTS[event.text]
        for event in arrived:
            if id(event) in again:
                same = [e for e in arrived if (e.process, e.verb, e.item) == (event.process, event.verb, event.item)]
                found[event.message] = "again"
                self.count[id(event)] = same.index(event) + 1
                found.setdefault(same[0].message, "first")
        for event in arrived:
            if mark := layout.marks.on(event):
                found.setdefault(event.message, mark)
        return found

    def _lines(self) -> Iterator[Any]:
        for lane, first, last, died in self.layout.lines():
            name, end = words(2, lane.y + 4, lane.title, "lane"), self.layout.width - EDGE
            if first is not None:  # of another one no step is drawn at this width
                yield line(first, lane.y, last, lane.y, "life" if lane.life else "line", tone=lane.colour)
            if died:
                yield line(last, lane.y, end, lane.y, "gone")
            if lane.life:
                about = lane.title + (f" · {lane.under}" if lane.under else "")
                shape = _shape(lane.life, max(56, 12 + 7 * len(lane.title)), lane.y, 5)
                yield group(name, shape, title=about, tone=lane.colour)
                yield words(2, lane.y + 17, lane.under, "sub")
            else:
                yield name

    def _takeovers(self) -> Iterator[Any]:
        for death, successor in self.layout.takeovers():
            (x1, y1), (x2, y2) = self.layout.at(death), self.layout.at(successor)
            yield line(x1, y1 + 9, x2 - 2, y2 - 7, "over")
            yield words(x2 + 9, y2 - 15, "takes over", "say")
            self.labels.taken.append((x2, x2 + 110, y2 - 15))

    def _trips(self) -> list[Any]:
        """Return each request with its arrivals and its reply."""
        of = defaultdict(list)
        for event in self.layout.drawn:
            if event.message and event.verb not in ("dies", "start"):
                of[event.message.replace("<", ">")].append(event)
        return [self._trip(message, events) for message, events in of.items()]

    def _trip(self, message: str, events: list[Any]) -> Any:
        at, sent, kind = self.layout.at, self.sends.get(message), self.named.get(message)
        arrivals = [event for event in events if event.kind == "receive" and part_title(event.process)]
        reply = next((event for event in events if event.verb == "reply"), None)
        asked = sent or reply or arrivals[0]
        drawn, lane = [], self.layout.lanes[life_name(asked.life)]
        if sent is not None:
            x, y = at(sent)
            for number, event in enumerate(arrivals):
                bold = kind if kind != "again" or number == len(arrivals) - 1 else "first"
                drawn.append(line(x, y, *at(event), "hit"))
                drawn.append(
                    arrow((x, y), at(event), f"bold {bold}", f"tip {bold}", HALF)
                    if bold
                    else line(x, y, *at(event), "ask")
                )
            if not arrivals and (target := self.layout.lanes.get(sent.detail.get("part"))):
                drawn.append(self._cut(x, y, x + 12, (y + target.y) / 2, "request lost", "hurt"))
        for event in arrivals:
            x2, y2 = at(event)
            if reply is None:
                if sent is not None and self.fault_of.get(message) != "late":
                    lost = "reply lost" if message in self.fault_of else ""
                    drawn.append(self._cut(x2, y2, x2 + 10, (y2 + lane.y) / 2, lost, "answer"))
            elif event is arrivals[0]:
                drawn.append(line(x2, y2, *at(reply), "answer"))
            if not kind:
                drawn.append(dot(x2, y2, 3.2, "there"))
            else:
                self._arrival(event, kind)
        if reply is not None:
            drawn.append(_shape(asked.life, *at(reply), 3.6))
        if sent is not None and not kind:
            drawn.append(_shape(sent.life, *at(sent), 3.6))
        elif sent is not None:
            self._stamp(sent, kind)
        data = {"data_step": f"{asked.life}.{asked.step}"} | ({"data_line": asked.line} if asked.line else {})
        about = f"{asked.process} at {asked.stamp}: {asked.text}" + (f"; reply: {reply.text}" if reply else "")
        return group(*drawn, css=f"trip guilty {kind}" if kind else "trip", title=about, tone=lane.colour, **data)

    def _arrival(self, event: Any, kind: str) -> None:
        """Draw the arrival of a named request as a box with the value that it left there."""
        (x, y), (text, half), nth = self.layout.at(event), _left_there(event), self.count.get(id(event))
        css = "again" if nth else "first" if kind == "again" else kind
        self.over.append(group(box(x - half, y - 10, 2 * half, 20), words(x, y + 4, text), css=f"box {css}"))
        hour, wrong = f"hour {event.item}", event.process == "output" and event.item in self.verdict.damage.wrong
        if nth:
            said = f"× {hour}, {TIMES.get(nth, 'one more')} time{', ≠ wrong' if wrong else ''}"
            self._beside(event, [said, "× again"])
        elif kind == "wrong":
            self._beside(event, [f"≠ {hour}, wrong"] * bool(event.item) + ["≠ wrong"])

    def _beside(self, event: Any, choices: list[str]) -> None:
        """Write the first of the `choices` that has room beside an arrival, on its left or its right."""
        at, (x, y), (_, half) = self.layout.at, self.layout.at(event), _left_there(event)
        others = [other for other in self.layout.drawn if other.message in self.named and other is not event]
        others = [other for other in others if part_title(other.process) and at(other)[1] == y]
        boxes = [(at(one)[0] - _left_there(one)[1], at(one)[0] + _left_there(one)[1]) for one in others]
        for said in choices:
            wide = len(said) * CHARACTER + 8
            for begin, anchor, edge in ((x - half - wide, "end", x - half - 7), (x + half, "start", x + half + 7)):
                inside = begin > LEFT and begin + wide < self.layout.width
                if inside and not any(left < begin + wide and begin < right for left, right in boxes):
                    self.over.append(words(edge, y + 4, said, "bad", anchor))
                    return

    def _stamp(self, event: Any, kind: Any) -> None:
        """Draw a named step as a large shape with its stamp, and its name above."""
        x, y = self.layout.at(event)
        verb, fault = event.text if event.verb == "save" else event.verb, self.fault_of.get(event.message)
        said = f"{verb}: {fault}" if fault else f"{verb} again" if kind == "again" else verb
        self._label(x, y - 15, said, "name" if kind == "first" and not fault else "bad")
        shape = _shape(event.life, x, y, max(HALF, len(str(event.stamp)) * 3.6 + 2))
        more = {"data_step": f"{event.life}.{event.step}", "tone": self.layout.lanes[event.process].colour}
        self.over.append(group(shape, words(x, y + 4, event.stamp), css="stamped", **more))

    def _label(self, x: Any, y: Any, said: Any, kind: Any, anchor: Any = "middle") -> None:
        """Write above a line. Where other words already stand, the new words go a line higher, or remain a tooltip.

        Above the line of a later incarnation there is room for one line more, below the line of the incarnation
        before it.
        """
        half = len(said) * CHARACTER / 2
        if anchor == "middle":
            x = min(x, self.layout.width - half - 4)
        left = {"middle": x - half, "start": x, "end": x - 2 * half}[anchor]
        places = [y, y - 14] if y > HEIGHTS.top else [y]
        y = next((one for one in places if self.labels.is_free(left - 5, left + 2 * half + 5, one)), None)
        if y is not None:
            self.labels.taken.append((left, left + 2 * half, y))
            self.over.append(words(x, y, said, kind, anchor))

    def _cut(self, x1, y1, x2, y2, said, kind):
        self.over += [cross(x2, y2, 4, "cross small"), words(x2 + 8, y2 + 4, said, "bad")]
        return line(x1, y1, x2, y2, kind)

    def _ends(self) -> Iterator[Any]:
        """Yield the starts and deaths of incarnations, and the faults that strike them without a message."""
        for event in self.layout.drawn:
            x, y = self.layout.at(event)
            if event.verb == "dies":
                said = "gave up: no reply" if event.text.startswith("gave up") else event.text
                fits = self.layout.width - x > len(said) * CHARACTER
                self._label(x - 4 if fits else x + 8, y - 15, said, "bad", "start" if fits else "end")
                self.over.append(group(cross(x, y, 8), title=f"{event.stamp}: {event.text}"))
            elif event.verb in ("fault", "wakes", "raised"):
                if event.text == "pause":
                    self._label(x + 4, y - 15, "asleep", "bad", "end")
                elif event.text not in FAULTS:
                    self._label(x - 4, y - 15, event.text, "bad", "start")
                yield cross(x, y, 4, "cross small")
            elif event.verb == "start" or event.kind == "local":
                lane = self.layout.lanes[event.process]
                # If one request left values in several parts, its arrow goes to the first of them.
                shape = _shape(event.life, x, y, 4.6) if lane.life else dot(x, y, 3.2, "there")
                about = f"{event.process} at {event.stamp}: {event.text}"
                yield group(shape, title=about, tone=lane.colour)


def _left_there(event: Any) -> tuple[str, float]:
    """Return (the value that a request left in a store, in few words; half the width of its box)."""
    text = event.text.replace("window of ", "")
    return text, max(16, len(text) * 3.7 + 6)


def _shape(life: int, x: float, y: int, half: float) -> Any:
    """Return the shape of an incarnation's events: a circle, a square, a diamond or a triangle, in turn."""
    kind, more = (life - 1) % 4, half * 1.35
    if kind < 2:
        return box(x - half, y - half, 2 * half, 2 * half, rx="" if kind else half)
    if kind == 2:
        return diamond(x, y, more)
    return mark("path", d=f"M{x:.1f} {y - more:.1f} l{half * 1.4:.1f} {more * 1.8:.1f} h-{half * 2.8:.1f}z")
