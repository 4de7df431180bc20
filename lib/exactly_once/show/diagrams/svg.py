"""The space–time diagram as SVG: a line for each incarnation and part of a store, a dot with its Lamport stamp for
each event.

After L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978, figure 1.
"""

import itertools
import math
import re
from collections import Counter
from html import escape

from ...trace import Trace
from ...trace.events import takeover
from ...verdict.outcome import output_index
from .layout import RADIUS, half_width, lay_out, stamp_text
from .table import part_title

CHARACTER, WIDE = 6.2, 8  # pixels of one of the diagram's letters, on the average and at most in a verb
BETWEEN = 6  # pixels between two words that stand side by side
MOST_WORDS = 60
LEAST = 7  # characters; a shorter cut tells nothing, and is left to the title and the table


def spacetime_svg(trace: Trace, item: int | None = None, width: int = 900) -> str:
    """Return the diagram of the events of `item` as SVG, `width` pixels wide or more.

    item: None stands for the item of the first death
    """
    return layout_svg(lay_out(trace, item, width))


def layout_svg(layout, over=""):
    """Return a layout as SVG; `over` is drawn on top of it."""
    if not layout.drawn:
        return '<p class="eo-dim">Nothing has happened yet.</p>'
    parts = [part(layout) for part in (_lines, _messages, _takeovers, _dots, _labels, _titles)] + [over]
    width, height = f"{layout.width:.0f}", f"{layout.height:.0f}"
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    about = escape(summary(layout))
    head = f'<svg class="eo-st" xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{about}">'
    return f"{head}{''.join(parts)}</svg>"


def summary(layout):
    """Return the content of the diagram in one sentence, for readers who cannot see it."""
    deaths = "; ".join(f"{event.process}: {event.text}" for event in layout.drawn if event.verb == "dies")
    what = f"hour {layout.item}" if layout.item else "the run"
    deaths = deaths or "No incarnation died"
    return f"Space–time diagram of {what}, {len(layout.drawn)} events. {deaths}. The table below says the same."


def _lines(layout):
    """Draw the lanes: an incarnation's line from its first event to its last, dotted after a death."""
    drawn, end = [], layout.width - 10
    for lane in {lane.name: lane for lane in layout.lanes.values()}.values():
        own = [layout.at(event)[0] for event in layout.drawn if event.process == lane.name]
        died = any(event.process == lane.name and event.verb == "dies" for event in layout.drawn)
        first = own[0] if own and lane.life > 1 else layout.left
        last = own[-1] if died else end
        if own or not lane.life:
            drawn.append(f'<line class="line" x1="{first:.1f}" y1="{lane.y}" x2="{last:.1f}" y2="{lane.y}"/>')
        if died:
            drawn.append(f'<line class="gone" x1="{last:.1f}" y1="{lane.y}" x2="{end:.1f}" y2="{lane.y}"/>')
    return "".join(drawn)


def _titles(layout):
    """Write the title of each lane, in a group that a page can keep in view when the drawing is scrolled."""
    drawn = [f'<rect class="ground" width="{layout.left - 12:.0f}" height="{layout.height:.0f}"/>']
    for lane in {lane.name: lane for lane in layout.lanes.values()}.values():
        middle = lane.y + (4 if not lane.under else -2)
        drawn.append(f'<text class="lane" x="2" y="{middle}">{escape(lane.title)}</text>')
        if lane.under:
            drawn.append(f'<text class="sub" x="2" y="{lane.y + 12}">{escape(lane.under)}</text>')
    return f'<g class="lanes">{"".join(drawn)}</g>'


def _messages(layout):
    """Draw requests as arrows and replies as dashed arrows; a message that never arrived ends half-way in a cross."""
    arrived = {
        event.message: event for event in layout.drawn if event.kind == "receive" and part_title(event.process)
    }
    answered = {event.message: event for event in layout.drawn if event.kind == "receive" and event.verb == "reply"}
    sent = {event.message: event for event in layout.drawn if event.kind == "send"}
    again, drawn = repeats(layout), []
    for event in layout.drawn:
        if event.kind == "send" and event.verb != "dies":
            there = arrived.get(event.message)
            target = layout.lanes.get(event.detail.get("part"))
            if there is not None:
                kind = "faulty" if id(there) in again else "ask"
                drawn.append(arrow(layout.at(event), layout.at(there), kind))
            elif target is not None:
                x, y = layout.at(event)
                drawn.append(_cut(x, y, x + 14, (y + target.y) / 2, "request cut off"))
        elif event.message in arrived and part_title(event.process):
            first = sent.get(event.message.removesuffix("again")) if event.message.endswith("again") else None
            if first is not None:  # this request has arrived before: its arrow begins where it was sent
                drawn.append(arrow(layout.at(first), layout.at(event), "faulty" if id(event) in again else "ask"))
            back = answered.get(event.message.replace(">", "<"))
            x, y = layout.at(event)
            if back is not None:
                drawn.append(arrow((x, y), layout.at(back), "answer"))
            else:
                life = layout.lanes.get(f"incarnation {event.life}")
                drawn.append(_cut(x, y, x + 14, (y + life.y) / 2, "reply cut off", "answer") if life else "")
    return "".join(drawn)


def _takeovers(layout):
    """Draw the message from a dead incarnation to its successor."""
    starts = {event.message: event for event in layout.drawn if event.verb == "start" and event.message}
    drawn = []
    for event in layout.drawn:
        successor = starts.get(takeover(event.life)) if event.verb == "dies" else None
        if successor is not None:
            drawn.append(arrow(layout.at(event), layout.at(successor), "over"))
            x, y = layout.at(event)
            drawn.append(
                f'<text class="say" x="{x + 22:.1f}" y="{y + 4}">{escape(successor.process)} takes over</text>'
            )
    return "".join(drawn)


def arrow(start, end, kind):
    """Draw a straight arrow between the rims of two dots."""
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1) or 1
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    x1, y1, x2, y2 = x1 + dx * RADIUS, y1 + dy * RADIUS, x2 - dx * (RADIUS + 2), y2 - dy * (RADIUS + 2)
    tip = "faulty-tip" if kind in ("faulty", "over") else "ask-tip"
    left = f"{x2 - 7 * dx - 3.5 * dy:.1f},{y2 - 7 * dy + 3.5 * dx:.1f}"
    right = f"{x2 - 7 * dx + 3.5 * dy:.1f},{y2 - 7 * dy - 3.5 * dx:.1f}"
    return (
        f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
        f'<polygon class="{tip}" points="{x2:.1f},{y2:.1f} {left} {right}"/>'
    )


def _cut(x1, y1, x2, y2, words, kind="ask"):
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>{_cross(x2, y2, 4)}' + (
        f'<text class="bad" x="{x2 + 8:.1f}" y="{y2 + 4:.1f}">{words}</text>'
    )


def _cross(x, y, size):
    return (
        f'<path class="cross" d="M{x - size:.1f} {y - size:.1f} L{x + size:.1f} {y + size:.1f} '
        f'M{x - size:.1f} {y + size:.1f} L{x + size:.1f} {y - size:.1f}"/>'
    )


def _dots(layout):
    """Draw each event as a dot with its stamp: open for replies and for events of output and counter, else filled."""
    again, drawn = repeats(layout), []
    for event in layout.drawn:
        x, y = layout.at(event)
        if event.verb == "dies":
            drawn.append(f"<g><title>{event.stamp}: {escape(event.text)}</title>{_cross(x, y, 7)}</g>")
            continue
        colour = "red" if id(event) in again else layout.lanes[event.process].colour
        style = "open" if event.verb == "reply" or event.process in ("output", "counter") else "full"
        wide = half_width(event.stamp)
        about = f"{event.stamp}: {event.process}, {event.text}"
        box = f'x="{x - wide:.1f}" y="{y - RADIUS:.1f}" width="{2 * wide:.1f}" height="{2 * RADIUS}" rx="{RADIUS}"'
        drawn.append(
            f'<g class="{style}" style="--c:var(--eo-{colour})"><title>{escape(about)}</title><rect {box}/>'
            f"{stamp_text(event.stamp, x, y)}</g>"
        )
    return "".join(drawn)


def _labels(layout):
    """Write the name of each step above its dot, and the result below the store's dot."""
    again, drawn, room, before, told = repeats(layout), [], _room(layout), {}, set()
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
            words = f"{below}, again" if id(event) in again else below
            kind = "bad" if id(event) in again else "sub"
            drawn.append(_words(x, y + 21, [words], kind, room=room[id(event)]))
        elif event.verb == "dies":
            drawn.append(_words(x - 6, y - 13, [f"✖ {event.text}"], "bad", "start"))
        elif event.verb == "start":
            drawn.append(_words(x, y + 21, ["start"], "sub"))
        elif event.kind == "send" or event.verb in ("fault", "choose", "raised"):
            verb, _, rest = event.text.partition(" ")
            if len(rest) > room[id(event)]:
                rest = rest.partition(" to ")[0]  # the arrow shows the target
            there, same = before.get(event.process, (0, ""))
            crowded = verb == same and x - there < WIDE * len(verb)  # in a burst the word is written once
            lines = [rest] if rest and crowded else [verb, rest] if rest else [verb]
            before[event.process] = x, verb
            drawn.append(_words(x, y - 13 - 12 * (len(lines) - 1), lines, room=room[id(event)]))
    return "".join(drawn)


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
    whole = " ".join(lines)
    about = f"<title>{escape(whole)}</title>" if any(len(line) > room for line in lines) else ""
    lines = [line if len(line) <= room else line[: room - 1] + "…" if room >= LEAST else "" for line in lines]
    spans = about + "".join(
        f'<tspan x="{x:.1f}" dy="{0 if number == 0 else 12}">{escape(line)}</tspan>'
        for number, line in enumerate(lines)
    )
    return f'<text class="{kind}" text-anchor="{anchor}" x="{x:.1f}" y="{y:.1f}">{spans}</text>'


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
