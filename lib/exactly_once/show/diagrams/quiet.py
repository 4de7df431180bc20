"""The quiet space–time diagram: routine is thin and nameless, the causes of the damage are bold and named.

Each incarnation has its own shape besides its colour. Parts that are asked alike share a line: state and positions,
and the parts that a handler keeps for itself beside the counter.
"""

from collections import defaultdict
from html import escape

from ...node.parts import queue_in
from ...trace.events import life_name, takeover
from ...verdict import Verdict
from ...verdict.outcome import output_index
from ..base.checks import given
from .excerpt import excerpt
from .layout import LIFE_COLOURS, Lane, Layout, by_number, by_queue, is_drawn
from .svg import repeats, summary
from .table import life_title, named_part, part_title, placement

LEFT, RIGHT = 122, 12
LIFE_HEIGHT, PART_HEIGHT, TOP, BOTTOM = 40, 24, 29, 13
CLOSER = 34, 21  # where there are several nodes, and more lines
LEAST_STEP, MOST_STEP = 9.5, 42
FAULTS = {name: name.partition(" ")[0] for name in ("lost request", "late request", "duplicated request")}
FAULTS["lost reply"] = "reply lost"
TIMES = {2: "a second", 3: "a third"}
HALF = 10  # half of a named dot
CHARACTER = 7.1  # pixels of a bold letter, on the average
SHARE = {"positions": "state", "decided": "state", "epoch": "counter", "index": "counter", "prepared": "counter"}


def quiet_svg(verdict, item=None, width=900):
    """Return (the diagram of the events of `item` in a `Verdict`'s run, at least `width` pixels wide; the stamps of
    its named steps).
    """
    drawing = _Drawing(given(verdict, Verdict), item, width)
    return drawing.svg(), drawing.stamps()


class _Drawing:
    def __init__(self, verdict, item, width):
        self.verdict, trace = verdict, verdict.run.trace
        events = excerpt(trace, item)
        drawn = [event for event in events if is_drawn(event)]
        step = max(LEAST_STEP, min((width - LEFT - RIGHT - 24) / max(len(drawn) - 1, 1), MOST_STEP))
        size = max(width, LEFT + RIGHT + 24 + step * (len(drawn) - 1))
        self.layout = Layout(events, item, size, LEFT, _lanes(trace, events, drawn), drawn)
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
        ends, parts = self._ends(), [self._lines(), self._takeovers(), self._trips(), self._missing()]
        parts += [ends, *self.over]
        size = f'width="{layout.width:.0f}" height="{self._height():.0f}"'
        box = f'viewBox="0 0 {layout.width:.0f} {self._height():.0f}"'
        return (
            f'<svg class="eo-st eo-quiet" {size} {box} role="img" aria-label="{escape(summary(layout))}">'
            f"{''.join(parts)}</svg>"
        )

    def stamps(self):
        """Return the stamps of the named steps, in order."""
        return sorted(self.sends[message].stamp for message in self.named if message in self.sends)

    def _height(self):
        return max(lane.y for lane in self.layout.lanes.values()) + BOTTOM

    def _guilty(self):
        """Return {message: "first", "again" or "wrong"} of the requests that caused the damage or were struck by a
        fault.
        """
        damage, layout = self.verdict.damage, self.layout
        again = repeats(layout)
        arrived = [e for e in layout.drawn if e.kind == "receive" and part_title(e.process) and e.item == layout.item]
        found = {}
        for event in layout.drawn:
            if event.verb == "fault" and event.text in FAULTS:
                message = f"{event.life}.{event.step}>"
                found[message], self.fault_of[message] = "first", FAULTS[event.text]
        for event in arrived:
            if id(event) in again:
                same = [e for e in arrived if (e.process, e.verb) == (event.process, event.verb)]
                found[event.message] = "again"
                self.count[id(event)] = same.index(event) + 1
                found.setdefault(same[0].message, "first")
        for event in arrived:
            if event.process == "output" and event.item in damage.wrong:
                found.setdefault(event.message, "wrong")
        ahead = {"positions"} if damage.missing else {"state"} if damage.wrong or damage.state_differs else set()
        dead = {death.life for death in self.verdict.run.trace.deaths()}
        saved = [e for e in arrived if e.verb == "write" and e.process in ahead and e.life in dead]
        for event in saved[-1:]:
            found.setdefault(event.message, "first")
        return found

    def _lines(self):
        drawn, end = [], self.layout.width - RIGHT
        for lane in {lane.name: lane for lane in self.layout.lanes.values()}.values():
            own = [self.layout.at(event)[0] for event in self.layout.drawn if event.process == lane.name]
            if not lane.life:
                drawn.append(f'<line class="line" x1="{LEFT}" y1="{lane.y}" x2="{end:.1f}" y2="{lane.y}"/>')
                drawn.append(f'<text class="lane" x="2" y="{lane.y + 4}">{escape(lane.title)}</text>')
                continue
            died = any(event.process == lane.name and event.verb == "dies" for event in self.layout.drawn)
            first, last = (own[0] if lane.life > 1 else LEFT), (own[-1] if died else end)
            colour = f'style="--c:var(--eo-{lane.colour})"'
            drawn.append(
                f'<line class="life" {colour} x1="{first:.1f}" y1="{lane.y}" x2="{last:.1f}" y2="{lane.y}"/>'
            )
            if died:
                drawn.append(f'<line class="gone" x1="{last:.1f}" y1="{lane.y}" x2="{end:.1f}" y2="{lane.y}"/>')
            title = escape(lane.title + (f" · {lane.under}" if lane.under else ""))
            drawn.append(
                f'<g {colour}><text class="lane" x="2" y="{lane.y + 4}">{escape(lane.title)}<title>{title}</title>'
                "</text>"
                f"{_shape(lane.life, max(56, 12 + 7 * len(lane.title)), lane.y, 5)}</g>"
            )
            if lane.under:
                drawn.append(f'<text class="sub" x="2" y="{lane.y + 17}">{escape(lane.under)}</text>')
        return "".join(drawn)

    def _trips(self):
        """Draw each request with its arrivals and its reply."""
        of = defaultdict(list)
        for event in self.layout.drawn:
            if event.message and event.verb not in ("dies", "start"):
                of[event.message.replace("<", ">")].append(event)
        return "".join(self._trip(message, events) for message, events in of.items())

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
                drawn.append(self._arrow((x, y), self.layout.at(event), bold))
            if not arrivals and (target := self.layout.lanes.get(sent.detail.get("part"))):
                drawn.append(self._cut(x, y, x + 12, (y + target.y) / 2, "request lost"))
        for event in arrivals:
            x2, y2 = self.layout.at(event)
            if reply is None:
                if sent is not None and self.fault_of.get(message) not in ("late",):
                    lost = "reply lost" if message in self.fault_of else ""
                    drawn.append(self._cut(x2, y2, x2 + 10, (y2 + lane.y) / 2, lost, "answer"))
            elif event is arrivals[0]:
                x3, y3 = self.layout.at(reply)
                drawn.append(f'<line class="answer" x1="{x2:.1f}" y1="{y2:.1f}" x2="{x3:.1f}" y2="{y3:.1f}"/>')
            drawn.append(self._arrival(event, kind))
        if reply is not None:
            drawn.append(_shape(life, *self.layout.at(reply), 3.6))
        if sent is not None:
            drawn.append(self._stamp(sent, kind))
        asked = sent or reply or arrivals[0]
        line = f' data-line="{asked.line}"' if asked.line else ""
        about = escape(
            f"{asked.process} at {asked.stamp}: {asked.text}" + (f"; reply: {reply.text}" if reply else "")
        )
        css = f"trip guilty {kind}" if kind else "trip"
        return (
            f'<g class="{css}" data-step="{asked.life}.{asked.step}"{line} style="--c:var(--eo-{lane.colour})">'
            f"<title>{about}</title>{''.join(drawn)}</g>"
        )

    def _arrow(self, start, end, bold):
        (x1, y1), (x2, y2) = start, end
        hit = f'<line class="hit" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
        if not bold:
            return f'{hit}<line class="ask" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        x2, y2 = x2 - 11 * dx, y2 - 11 * dy
        tip = (
            f"{x2:.1f},{y2:.1f} {x2 - 9 * dx - 4.5 * dy:.1f},{y2 - 9 * dy + 4.5 * dx:.1f} "
            f"{x2 - 9 * dx + 4.5 * dy:.1f},{y2 - 9 * dy - 4.5 * dx:.1f}"
        )
        return (
            f'<line class="bold {bold}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2 - 5 * dx:.1f}" y2="{y2 - 5 * dy:.1f}"/>'
            f'<polygon class="tip {bold}" points="{tip}"/>'
        )

    def _arrival(self, event, kind):
        """Draw the arrival of a request: a dot, or, for a named request, a box with the value that it left there."""
        x, y = self.layout.at(event)
        if not kind:
            return f'<circle class="there" cx="{x:.1f}" cy="{y:.1f}" r="3.2"/>'
        text, half = _left_there(event)
        nth = self.count.get(id(event))
        css = "again" if nth else "first" if kind == "again" else kind
        self.over.append(
            f'<g class="box {css}"><rect x="{x - half:.1f}" y="{y - 10:.1f}" width="{2 * half:.1f}" height="20"/>'
            f'<text x="{x:.1f}" y="{y + 4:.1f}">{escape(text)}</text></g>'
        )
        hour, wrong = f"hour {event.item}", event.process == "output" and event.item in self.verdict.damage.wrong
        if nth:
            self._beside(
                event, [f"× {hour}, {TIMES.get(nth, 'one more')} time{', ≠ wrong' if wrong else ''}", "× again"]
            )
        elif kind == "wrong":
            self._beside(event, [f"≠ {hour}, wrong", "≠ wrong"])
        return ""

    def _beside(self, event, choices):
        """Write the first of the `choices` that has room beside an arrival, on its left or its right."""
        (x, y), (_, half) = self.layout.at(event), _left_there(event)
        others = [other for other in self.layout.drawn if other.message in self.named and other is not event]
        boxes = [
            (self.layout.at(other)[0] - _left_there(other)[1], self.layout.at(other)[0] + _left_there(other)[1])
            for other in others
            if part_title(other.process) and self.layout.at(other)[1] == y
        ]
        for words in choices:
            wide = len(words) * CHARACTER + 8
            for begin, anchor, at in ((x - half - wide, "end", x - half - 7), (x + half, "start", x + half + 7)):
                inside = begin > LEFT and begin + wide < self.layout.width
                if inside and not any(left < begin + wide and begin < right for left, right in boxes):
                    self.over.append(
                        f'<text class="bad" x="{at:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}">{words}</text>'
                    )
                    return

    def _stamp(self, event, kind):
        """Draw a step: a small shape, or, for a named step, a large shape with its stamp, and its name above."""
        x, y = self.layout.at(event)
        if not kind:
            return _shape(event.life, x, y, 3.6)
        verb, fault = event.text if event.verb == "save" else event.verb, self.fault_of.get(event.message)
        words = f"{verb}: {fault}" if fault else f"{verb} again" if kind == "again" else verb
        self._label(x, y - 15, words, "name" if kind == "first" and not fault else "bad")
        colour = self.layout.lanes[event.process].colour
        half = max(HALF, len(str(event.stamp)) * 3.6 + 2)
        self.over.append(
            f'<g class="stamped" data-step="{event.life}.{event.step}" style="--c:var(--eo-{colour})">'
            f'{_shape(event.life, x, y, HALF, half)}<text x="{x:.1f}" y="{y + 4:.1f}">{event.stamp}</text></g>'
        )
        return ""

    def _label(self, x, y, words, kind, anchor="middle"):
        """Write above a line. Where other words already stand, the new words go a line higher, or remain a tooltip.

        Above the line of a later incarnation there is room for one line more, below the line of the incarnation
        before it.
        """
        half = len(words) * CHARACTER / 2
        left = {"middle": x - half, "start": x, "end": x - 2 * half}[anchor]
        most = y - 14 if y > TOP else 10
        while any(
            abs(y - other) < 12 and left < end + 5 and begin < left + 2 * half + 5 for other, begin, end in self.taken
        ):
            y -= 13
        if y < max(most, 10):
            return
        self.taken.append((y, left, left + 2 * half))
        self.over.append(
            f'<text class="{kind}" text-anchor="{anchor}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'
        )

    def _cut(self, x1, y1, x2, y2, words, kind="hurt"):
        self.over.append(
            f'<path class="cross small" d="M{x2 - 4:.1f} {y2 - 4:.1f} l8 8 m-8 0 l8 -8"/>'
            f'<text class="bad" x="{x2 + 8:.1f}" y="{y2 + 4:.1f}">{words}</text>'
        )
        return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'

    def _missing(self):
        """State at the end of the output's line that the hour never came there."""
        lane, item = self.layout.lanes.get("output"), self.layout.item
        if lane is None or item not in self.verdict.damage.missing:
            return ""
        return (
            f'<text class="bad" x="{self.layout.width - RIGHT - 4:.1f}" y="{lane.y + 4}" text-anchor="end">'
            f"○ hour {item} never came here</text>"
        )

    def _takeovers(self):
        starts = {event.message: event for event in self.layout.drawn if event.verb == "start" and event.message}
        drawn = []
        for event in self.layout.drawn:
            after = starts.get(takeover(event.life)) if event.verb == "dies" else None
            if after is not None:
                (x1, y1), (x2, y2) = self.layout.at(event), self.layout.at(after)
                drawn.append(
                    f'<line class="over" x1="{x1:.1f}" y1="{y1 + 9:.1f}" x2="{x2 - 2:.1f}" y2="{y2 - 7:.1f}"/>'
                    f'<text class="say" x="{x2 + 9:.1f}" y="{y2 - 15:.1f}">takes over</text>'
                )
                self.taken.append((y2 - 15, x2, x2 + 110))
        return "".join(drawn)

    def _ends(self):
        """Draw the starts and deaths of incarnations, and the faults that strike them without a message."""
        drawn = []
        for event in self.layout.drawn:
            x, y = self.layout.at(event)
            if event.verb == "dies":
                words = "gave up: no reply" if event.text.startswith("gave up") else event.text
                room = self.layout.width - x
                anchor, at = ("start", x - 4) if room > len(words) * CHARACTER else ("end", x + 8)
                self._label(at, y - 15, words, "bad", anchor)
                self.over.append(
                    f"<g><title>{escape(f'{event.stamp}: {event.text}')}</title>"
                    f'<path class="cross" d="M{x - 8:.1f} {y - 8:.1f} l16 16 m-16 0 l16 -16"/></g>'
                )
            elif event.verb in ("fault", "wakes", "raised"):
                if event.text not in FAULTS:
                    words, anchor = ("asleep", "end") if event.text == "pause" else (event.text, "start")
                    self._label(x + (4 if anchor == "end" else -4), y - 15, words, "bad", anchor)
                drawn.append(f'<path class="cross small" d="M{x - 4:.1f} {y - 4:.1f} l8 8 m-8 0 l8 -8"/>')
            elif event.verb == "start" or event.kind == "local":
                lane = self.layout.lanes[event.process]
                about = escape(f"{event.process} at {event.stamp}: {event.text}")
                # If one request left values in several parts, its arrow goes to the first of them.
                dot = f'<circle class="there" cx="{x:.1f}" cy="{y:.1f}" r="3.2"/>'
                shape = _shape(event.life, x, y, 4.6) if lane.life else dot
                drawn.append(f'<g style="--c:var(--eo-{lane.colour})"><title>{about}</title>{shape}</g>')
        return "".join(drawn)


def _lanes(trace, events, drawn):
    starts = {start.life: start for start in trace.lives()}
    several = any(start.detail.get("node") for start in starts.values())
    life_height, part_height = CLOSER if several else (LIFE_HEIGHT, PART_HEIGHT)
    lanes, y = {}, TOP
    for life in sorted({event.life for event in events if event.process == life_name(event.life)}):
        under = placement(starts[life]) if life in starts else ""
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
    for name, line in sharing.items():
        lanes[name] = lanes[line]
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
    if kind == 0:
        return f'<rect x="{x - wide:.1f}" y="{y - half:.1f}" width="{2 * wide:.1f}" height="{2 * half}" rx="{half}"/>'
    if kind == 1:
        return f'<rect x="{x - wide:.1f}" y="{y - half:.1f}" width="{2 * wide:.1f}" height="{2 * half}"/>'
    more = half * 1.35
    if kind == 2:
        far = wide * 1.35
        way = f"l{far:.1f} {more:.1f} l-{far:.1f} {more:.1f} l-{far:.1f} -{more:.1f}z"
        return f'<path d="M{x:.1f} {y - more:.1f} {way}"/>'
    return f'<path d="M{x:.1f} {y - more:.1f} l{wide * 1.4:.1f} {more * 1.8:.1f} h-{wide * 2.8:.1f}z"/>'
