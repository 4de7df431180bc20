"""The quiet space–time diagram: routine is thin and nameless, the causes of the damage are bold and named.

Each incarnation has its own shape besides its colour. Parts that are asked alike share a line: state and positions,
and the parts that a handler keeps for itself beside the counter.
"""

import math
from collections import defaultdict

from ...node.parts import queue_in
from ...trace.events import life_name, takeover
from ...verdict import Verdict
from ...verdict.outcome import output_index
from ..base.canvas import box, cross, dot, group, line, mark, svg, tip, words
from ..base.checks import given
from .excerpt import Marks, excerpt, is_drawn, window
from .layout import LIFE_COLOURS, Lane, Layout, by_number, by_queue, ends
from .svg import repeats, summary
from .table import life_title, named_part, part_title, placement

LEFT, RIGHT = 122, 12
END = 48  # between the last event and the end of its line, for the box of a value
LIFE_HEIGHT, PART_HEIGHT, TOP, BOTTOM = 40, 24, 29, 13
CLOSER = 34, 21  # where there are several nodes, and more lines
LEAST_STEP, MOST_STEP = 9.5, 42
FAULTS = {name: name.partition(" ")[0] for name in ("lost request", "late request", "duplicated request")}
FAULTS["lost reply"] = "reply lost"
TIMES = {2: "a second", 3: "a third"}
HALF = 10  # half of a named dot
CHARACTER = 7.5  # pixels of a bold letter, on the average
SHARE = {"positions": "state", "decided": "state", "epoch": "counter", "index": "counter", "prepared": "counter"}


def quiet_svg(verdict, item=None, width=900):
    """Return (the diagram of the events of `item` in a `Verdict`'s run, and of those that led to the first damage, at
    least `width` pixels wide; the stamps of its named steps). A run that goes on is drawn at `item` alone.
    """
    drawing = _Drawing(given(verdict, Verdict), item, width)
    return drawing.svg(), drawing.stamps()


class _Drawing:
    def __init__(self, verdict, item, width):
        self.verdict, trace = verdict, verdict.run.trace
        events, marks = window(verdict, item, int((width - LEFT - RIGHT - END) / LEAST_STEP))
        if verdict.unfinished:
            events, ended = excerpt(trace, item), marks.ends if item in verdict.damage.missing else {}
            marks = Marks(marks.steps, ended)
        drawn = [event for event in events if is_drawn(event)]
        step = max(LEAST_STEP, min((width - LEFT - RIGHT - END) / max(len(drawn) - 1, 1), MOST_STEP))
        size = max(width, LEFT + RIGHT + END + step * (len(drawn) - 1))
        self.layout = Layout(events, item, size, LEFT, _lanes(trace, events, drawn), drawn, marks=marks)
        self.layout.x = {id(event): LEFT + 14 + step * number for number, event in enumerate(drawn)}
        self.sends = {event.message: event for event in drawn if event.kind == "send" and event.verb != "dies"}
        # {message: its fault}; {id of an arrival: its number among the arrivals of the item}
        self.fault_of, self.count = {}, {}
        self.named = self._guilty()
        self.over, self.taken = [], []  # the parts drawn on top; the places of words: (height, begin, end)

    def svg(self):
        layout = self.layout
        if not layout.drawn:
            return '<p class="eo-dim">Nothing has happened yet.</p>'
        struck = list(self._ends())
        missing = ends(layout, layout.width - RIGHT, CHARACTER)
        marks = [*self._lines(), *self._takeovers(), *self._trips(), *missing, *struck, *self.over]
        height = max(lane.y for lane in layout.lanes.values()) + BOTTOM
        return svg(marks, layout.width, height, summary(layout), "eo-st eo-quiet")

    def stamps(self):
        """Return the stamps of the named steps, in order."""
        return sorted(self.sends[message].stamp for message in self.named if message in self.sends)

    def _guilty(self):
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

    def _lines(self):
        end = self.layout.width - RIGHT
        for lane in {lane.name: lane for lane in self.layout.lanes.values()}.values():
            own = [self.layout.at(event)[0] for event in self.layout.drawn if event.process == lane.name]
            if not lane.life:
                yield line(LEFT, lane.y, end, lane.y, "line")
                yield words(2, lane.y + 4, lane.title, "lane")
                continue
            died = any(event.process == lane.name and event.verb == "dies" for event in self.layout.drawn)
            first, last = (own[0] if own and lane.life > 1 else LEFT), (own[-1] if died else end)
            if own:  # of another one no step is drawn at this width
                yield line(first, lane.y, last, lane.y, "life", tone=lane.colour)
            if died:
                yield line(last, lane.y, end, lane.y, "gone")
            title = lane.title + (f" · {lane.under}" if lane.under else "")
            name = words(2, lane.y + 4, lane.title, "lane", title=title)
            yield group(name, _shape(lane.life, max(56, 12 + 7 * len(lane.title)), lane.y, 5), tone=lane.colour)
            if lane.under:
                yield words(2, lane.y + 17, lane.under, "sub")

    def _trips(self):
        """Yield each request with its arrivals and its reply."""
        of = defaultdict(list)
        for event in self.layout.drawn:
            if event.message and event.verb not in ("dies", "start"):
                of[event.message.replace("<", ">")].append(event)
        return [self._trip(message, events) for message, events in of.items()]

    def _trip(self, message, events):
        sent = self.sends.get(message)
        arrivals = [event for event in events if event.kind == "receive" and part_title(event.process)]
        reply = next((event for event in events if event.verb == "reply"), None)
        kind = self.named.get(message)
        life = (sent or reply or arrivals[0]).life
        drawn, lane = [], self.layout.lanes[life_name(life)]
        if sent is not None:
            x, y = self.layout.at(sent)
            for number, event in enumerate(arrivals):
                bold = kind if kind != "again" or number == len(arrivals) - 1 else "first"
                drawn += self._arrow((x, y), self.layout.at(event), bold)
            if not arrivals and (target := self.layout.lanes.get(sent.detail.get("part"))):
                drawn.append(self._cut(x, y, x + 12, (y + target.y) / 2, "request lost"))
        for event in arrivals:
            x2, y2 = self.layout.at(event)
            if reply is None:
                if sent is not None and self.fault_of.get(message) not in ("late",):
                    lost = "reply lost" if message in self.fault_of else ""
                    drawn.append(self._cut(x2, y2, x2 + 10, (y2 + lane.y) / 2, lost, "answer"))
            elif event is arrivals[0]:
                drawn.append(line(x2, y2, *self.layout.at(reply), "answer"))
            drawn += self._arrival(event, kind)
        if reply is not None:
            drawn.append(_shape(life, *self.layout.at(reply), 3.6))
        if sent is not None:
            drawn += self._stamp(sent, kind)
        asked = sent or reply or arrivals[0]
        data = {"data_step": f"{asked.life}.{asked.step}"} | ({"data_line": asked.line} if asked.line else {})
        about = f"{asked.process} at {asked.stamp}: {asked.text}" + (f"; reply: {reply.text}" if reply else "")
        return group(*drawn, css=f"trip guilty {kind}" if kind else "trip", title=about, tone=lane.colour, **data)

    def _arrow(self, start, end, bold):
        yield line(*start, *end, "hit")
        if not bold:
            yield line(*start, *end, "ask")
            return
        (x1, y1), (x2, y2) = start, end
        length = math.hypot(x2 - x1, y2 - y1) or 1
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        x2, y2 = x2 - 11 * dx, y2 - 11 * dy
        yield line(x1, y1, x2 - 5 * dx, y2 - 5 * dy, f"bold {bold}")
        yield tip(start, (x2, y2), 9, 4.5, f"tip {bold}")

    def _arrival(self, event, kind):
        """Yield the arrival of a request: a dot. For a named request draw a box with the value that it left there."""
        x, y = self.layout.at(event)
        if not kind:
            yield dot(x, y, 3.2, "there")
            return
        text, half = _left_there(event)
        nth = self.count.get(id(event))
        css = "again" if nth else "first" if kind == "again" else kind
        self.over.append(group(box(x - half, y - 10, 2 * half, 20), words(x, y + 4, text), css=f"box {css}"))
        hour, wrong = f"hour {event.item}", event.process == "output" and event.item in self.verdict.damage.wrong
        if nth:
            self._beside(
                event, [f"× {hour}, {TIMES.get(nth, 'one more')} time{', ≠ wrong' if wrong else ''}", "× again"]
            )
        elif kind == "wrong":
            self._beside(event, [f"≠ {hour}, wrong"] * bool(event.item) + ["≠ wrong"])

    def _beside(self, event, choices):
        """Write the first of the `choices` that has room beside an arrival, on its left or its right."""
        (x, y), (_, half) = self.layout.at(event), _left_there(event)
        others = [other for other in self.layout.drawn if other.message in self.named and other is not event]
        boxes = [
            (self.layout.at(other)[0] - _left_there(other)[1], self.layout.at(other)[0] + _left_there(other)[1])
            for other in others
            if part_title(other.process) and self.layout.at(other)[1] == y
        ]
        for said in choices:
            wide = len(said) * CHARACTER + 8
            for begin, anchor, at in ((x - half - wide, "end", x - half - 7), (x + half, "start", x + half + 7)):
                inside = begin > LEFT and begin + wide < self.layout.width
                if inside and not any(left < begin + wide and begin < right for left, right in boxes):
                    self.over.append(words(at, y + 4, said, "bad", anchor))
                    return

    def _stamp(self, event, kind):
        """Yield a step: a small shape. Draw a named step as a large shape with its stamp, and its name above."""
        x, y = self.layout.at(event)
        if not kind:
            yield _shape(event.life, x, y, 3.6)
            return
        verb, fault = event.text if event.verb == "save" else event.verb, self.fault_of.get(event.message)
        said = f"{verb}: {fault}" if fault else f"{verb} again" if kind == "again" else verb
        self._label(x, y - 15, said, "name" if kind == "first" and not fault else "bad")
        colour = self.layout.lanes[event.process].colour
        half = max(HALF, len(str(event.stamp)) * 3.6 + 2)
        shape, step = _shape(event.life, x, y, HALF, half), f"{event.life}.{event.step}"
        self.over.append(group(shape, words(x, y + 4, event.stamp), css="stamped", data_step=step, tone=colour))

    def _label(self, x, y, said, kind, anchor="middle"):
        """Write above a line. Where other words already stand, the new words go a line higher, or remain a tooltip.

        Above the line of a later incarnation there is room for one line more, below the line of the incarnation
        before it.
        """
        half = len(said) * CHARACTER / 2
        if anchor == "middle":
            x = min(x, self.layout.width - half - 4)
        left = {"middle": x - half, "start": x, "end": x - 2 * half}[anchor]
        most = y - 14 if y > TOP else 10
        while any(
            abs(y - other) < 12 and left < end + 5 and begin < left + 2 * half + 5 for other, begin, end in self.taken
        ):
            y -= 13
        if y < max(most, 10):
            return
        self.taken.append((y, left, left + 2 * half))
        self.over.append(words(x, y, said, kind, anchor))

    def _cut(self, x1, y1, x2, y2, said, kind="hurt"):
        self.over += [cross(x2, y2, 4, "cross small"), words(x2 + 8, y2 + 4, said, "bad")]
        return line(x1, y1, x2, y2, kind)

    def _takeovers(self):
        starts = {event.message: event for event in self.layout.drawn if event.verb == "start" and event.message}
        for event in self.layout.drawn:
            after = starts.get(takeover(event.life)) if event.verb == "dies" else None
            if after is not None:
                (x1, y1), (x2, y2) = self.layout.at(event), self.layout.at(after)
                yield line(x1, y1 + 9, x2 - 2, y2 - 7, "over")
                yield words(x2 + 9, y2 - 15, "takes over", "say")
                self.taken.append((y2 - 15, x2, x2 + 110))

    def _ends(self):
        """Yield the starts and deaths of incarnations, and the faults that strike them without a message."""
        for event in self.layout.drawn:
            x, y = self.layout.at(event)
            if event.verb == "dies":
                said = "gave up: no reply" if event.text.startswith("gave up") else event.text
                room = self.layout.width - x
                anchor, at = ("start", x - 4) if room > len(said) * CHARACTER else ("end", x + 8)
                self._label(at, y - 15, said, "bad", anchor)
                self.over.append(group(cross(x, y, 8), title=f"{event.stamp}: {event.text}"))
            elif event.verb in ("fault", "wakes", "raised"):
                if event.text not in FAULTS:
                    said, anchor = ("asleep", "end") if event.text == "pause" else (event.text, "start")
                    self._label(x + (4 if anchor == "end" else -4), y - 15, said, "bad", anchor)
                yield cross(x, y, 4, "cross small")
            elif event.verb == "start" or event.kind == "local":
                lane = self.layout.lanes[event.process]
                about = f"{event.process} at {event.stamp}: {event.text}"
                # If one request left values in several parts, its arrow goes to the first of them.
                shape = _shape(event.life, x, y, 4.6) if lane.life else dot(x, y, 3.2, "there")
                yield group(shape, title=about, tone=lane.colour)


def _lanes(trace, events, drawn):
    starts = {start.life: start for start in trace.lives()}
    several = any(start.detail.get("node") for start in starts.values())
    life_height, part_height = CLOSER if several else (LIFE_HEIGHT, PART_HEIGHT)
    lanes, y = {}, TOP
    for life in sorted({event.life for event in events if event.process == life_name(event.life)}):
        under = placement(starts[life]).rpartition(" · ")[2] if life in starts else ""  # "pid 16359" alone has room
        title, colour = life_title(life, starts), LIFE_COLOURS[(life - 1) % len(LIFE_COLOURS)]
        if title != life_name(life):  # one line has no room for both
            title, of = title.rsplit(", ", 1)
            under = f"{of} · {under}" if under else of
        lanes[life_name(life)] = Lane(life_name(life), title, under, y, colour, life)
        y += life_height
    y -= life_height - 29
    asked = ({event.process for event in trace} | {event.detail.get("part") for event in drawn}) - {None}
    named = sorted((name for name in asked if named_part(name)), key=by_number)
    cells = [name for name in named if output_index(name) is not None]
    shared = by_queue(named) | dict.fromkeys(cells[1:], cells[0] if cells else "")
    sharing = {name: line for name, line in SHARE.items() if {name, line} <= asked}
    named = [name for name in named if name not in {*shared, *sharing}]
    for name in ["input", "state", "positions", "output", "counter", *named]:
        if name in asked and name not in sharing:
            title = "state & positions" if name == "state" and "positions" in sharing else part_title(name)
            title = "output cells" if name in cells else queue_in(name) or title
            lanes[name] = Lane(name, title, "", y, "grey")
            y += part_height
    for name, shown in sharing.items():
        lanes[name] = lanes[shown]
    for name, first in shared.items():
        lanes[name] = lanes[first]
    return lanes


def _left_there(event):
    """Return (the value that a request left in a store, in few words; half the width of its box)."""
    text = event.text.replace("window of ", "")
    return text, max(16, len(text) * 3.7 + 6)


def _shape(life, x, y, half, wide=None):
    """Return the shape of an incarnation's events: a circle, a square, a diamond or a triangle, in turn."""
    wide = half if wide is None else wide
    kind = (life - 1) % 4
    if kind < 2:
        return box(x - wide, y - half, 2 * wide, 2 * half, **({} if kind else {"rx": half}))
    more = half * 1.35
    if kind == 2:
        far = wide * 1.35
        way = f"l{far:.1f} {more:.1f} l-{far:.1f} {more:.1f} l-{far:.1f} -{more:.1f}z"
    else:
        way = f"l{wide * 1.4:.1f} {more * 1.8:.1f} h-{wide * 2.8:.1f}z"
    return mark("path", d=f"M{x:.1f} {y - more:.1f} {way}")
