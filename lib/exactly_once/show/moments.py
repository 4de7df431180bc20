"""A moment of a run in words, which screen readers read aloud, and as HTML: the drawing up to it, the code with each
incarnation's line, stores, processes and clocks.
"""

from collections.abc import Callable
from html import escape
from typing import Any

import pandas as pd

from ..node.access import part_in_words
from ..trace import life_name
from .base.canvas import box, line, words
from .base.picture import folded, scrolling
from .diagrams.excerpt import part_title, placement
from .diagrams.layout import LIFE_COLOURS, is_drawn, lay_out
from .diagrams.spacetime import layout_svg
from .steps import WITHOUT_EFFECT
from .verdicts.code import NO_SOURCE, listing, source_lines

NO_CODE = "The handler's code is not shown: give the handler beside the run, as in debugger(run, my_handler)."
CHANGED = ' <b class="eo-debugger-new">◂ now</b>'
MOST_WORDS = 2_000
MOST_RECORDS = MOST_FAULTS = 24  # the newest records of a log; the first faults of a run
SIGNS = {"alive": "▶", "asleep": "☾", "dead": "✖", "ended": "■"}
TITLES = {
    "input": "the inputs", "positions": "the saved positions", "state": "the saved state",
    "output": "the output log", "counter": "the database",
}  # fmt: skip
COMES = {  # what a verb of a store has done, by the words of the event
    "append": "{} is appended", "add": "{} is counted", "put": "the message {} waits there",
    "take": "the message {} is taken out", "acquire": "it is now {}", "release": "it is now {}",
}  # fmt: skip


def sentence(steps: Any, at: int) -> str:
    """Return the sentence on a moment of a `Steps`, with number, stamp, hour and line."""
    event = steps.event(at)
    about = [f"clock {event.stamp}"]
    about += [f"{what} {of}" for what, of in (("hour", event.item), ("line", event.line)) if of is not None]
    text = what_happens(steps, event).rstrip(".")
    return f"Step {at + 1} of {len(steps)} ({', '.join(about)}): {_capital(text)}."


def _capital(text: str) -> str:
    """Return a sentence with a capital, also after the sign of a fault."""
    start = 2 if text.startswith("✖ ") else 0
    return text[:start] + text[start].upper() + text[start + 1 :]


def what_happens(steps: Any, event: Any) -> str:
    """Describe an event, as a clause without an end."""
    name = steps.name(event.life)
    if part_title(event.process):
        return _at_a_store(steps, event, name)
    if event.verb == "start":
        return _start(steps, event, name)
    if event.verb == "fault":
        return _fault(event, name)
    told = {
        "dies": f"✖ {name} {event.text}" if event.text.startswith("gave up") else f"✖ {name} dies: {event.text}",
        "ends": f"{name} ends: {event.text}",
        "wakes": f"{name} wakes up, and goes on where it fell asleep",
        "raised": f"✖ {name} fails by itself: {event.text}",
    }
    if event.verb in told:
        return told[event.verb]
    if event.kind == "send":
        return f"{name} sends a request to {_title(event.detail.get('part'))}: {event.text}"
    if event.kind == "receive":
        what = f"the readings {event.text}" if event.detail.get("part") == "input" else event.text
        return f"{name} receives the reply of {_title(event.detail.get('part'))}: {what}"
    return f"{name}: {event.text}"


def _title(part: str) -> str:
    return TITLES.get(part) or part_in_words(part or "")


def _start(steps: Any, event: Any, name: str) -> str:
    place = placement(event)
    text = f"{name} begins" + (f" ({place})" if place else "")
    sleeper = steps.puts_to_sleep(event)
    if sleeper is not None:
        return f"{text}, for {steps.name(sleeper)} has been put to sleep and may wake up at any moment"
    death = next((other for other in steps.events if other.verb == "dies" and other.message == event.message), None)
    return f"{text}, and takes over from {steps.name(death.life)}" if death is not None else text


def _at_a_store(steps: Any, event: Any, name: str) -> str:
    again = " for a second time" if (event.message or "").endswith("again") else ""
    came = COMES.get(event.verb, "it now holds {}").format(event.text)
    if (event.verb, event.text) in WITHOUT_EFFECT[:1]:
        came = "it is refused, as the version is another one by now"
    elif event.verb in ("read", "fetch"):
        came = f"it gives {found}" if (found := _answered(steps, event)) else "it is read"
    return f"the request of {name} arrives at {_title(event.process)}{again}: {came}"


def _answered(steps: Any, event: Any) -> str:
    """Return the words of the reply to a request, once it has come; "" if the incarnation died before, or the reply
    was lost.
    """
    own = (other for other in steps.events if (other.life, other.step) == (event.life, event.step))
    return next((other.text for other in own if other.process == life_name(event.life) and other.verb == "reply"), "")


def _fault(event: Any, name: str) -> str:
    if event.text == "duplicated request":
        return f"✖ the request of {name} has arrived twice"
    if event.text == "pause":
        return f"{name} falls asleep before its next step"
    if event.text == "late request":
        part = _title(event.detail.get("part"))
        return f"✖ the request of {name} is late: whether, and when, it will reach {part}, {name} cannot know"
    what = {"lost request": "request of", "lost reply": "reply to"}.get(event.text, event.text)
    return f"✖ the {what} {name} is lost: whether {_title(event.detail.get('part'))} did it, it cannot know"


def diagram_html(steps: Any, at: int, width: int = 900) -> str:
    """Return the space–time diagram around a moment: the moment is marked, and later events are faded."""
    page = steps.page(at)
    layout = lay_out(steps.trace, width=width, part=page, close=True)
    past = {id(event) for event in steps.until(at)}
    xs = sorted(layout.x[id(event)] for event in layout.drawn if id(event) in past)
    coming = [layout.x[id(event)] for event in layout.drawn if id(event) not in past]
    now = steps.event(at)
    last = xs[-1] if xs else layout.left
    x = last + min(12, (min(coming, default=last + 24) - last) / 2)
    said = f"step {at + 1}{'' if is_drawn(now) else f': {now.text}'}"
    over = [
        box(x, 0, max(layout.width - x, 0), layout.height, "eo-debugger-future"),
        line(x, 14, x, layout.height, "eo-debugger-cursor", data_here="true"),
        words(x, 9, said, "eo-debugger-cursor-says", "end" if x > layout.width / 2 else "start"),
    ]
    if id(now) in layout.x:
        across, down = layout.at(now)
        half = 14 + max(0, len(str(now.stamp)) - 3) * 3
        if now.verb == "dies":  # its words reach into the faded part
            over.append(words(across - 6, down - 13, f"✖ {now.text}", "bad"))
        over.append(box(across - half, down - 14, 2 * half, 28, "eo-debugger-ring", rx=14))
    drawn, note = {id(event) for event in page}, ""
    if len(page) < len(steps.events):
        numbers = [number + 1 for number in range(len(steps)) if id(steps.event(number)) in drawn]
        note = f'<p class="eo-dim">Drawn: steps {numbers[0]} to {numbers[-1]} of {len(steps)}.</p>'
    return scrolling(layout_svg(layout, over), "Space–time diagram") + note


def code_at_html(handlers: tuple[Callable[..., Any], ...], steps: Any, at: int) -> str:
    """Return the handlers' code; beside each line stand the incarnations at it, and the acting one is marked."""
    if not handlers:
        return f'<p class="eo-dim">{escape(NO_CODE)}</p>'
    lives, acts = steps.lives(at), steps.event(at).life
    return "".join(
        _listing(handler, [life for life in lives if life.node % len(handlers) == number], acts)
        for number, handler in enumerate(handlers)
    )


def _listing(handler: Callable[..., Any], lives: list[Any], acts: int) -> str:
    lines = source_lines(handler)
    if not lines:
        return f'<p class="eo-dim">{escape(NO_SOURCE)}</p>'
    rows = []
    for at in lines:
        here = [life for life in lives if life.line == at.number]
        kind = "eo-debugger-now-line" if any(life.number == acts for life in here) else ""
        chips = "".join(_chip(life, f"{SIGNS[life.state]} {life.name}") for life in here)
        number = f'<span class="eo-debugger-line-number">{at.number}</span>'
        rows.append((at, kind, number, f'<span class="eo-debugger-chips">{chips}</span>'))
    return listing(f"Code of {getattr(handler, '__name__', 'handler')}", rows)


def _chip(life: Any, text: str) -> str:
    colour = LIFE_COLOURS[(life.number - 1) % len(LIFE_COLOURS)]
    return f'<span class="eo-debugger-chip eo-chip-{life.state}" style="--c:var(--eo-{colour})">{escape(text)}</span>'


def stores_html(steps: Any, at: int) -> str:
    """Return the contents of every part of a store at a moment, as a table."""
    rows = [
        (held.changed, escape(held.title), f"<td>{_held(held)}{CHANGED if held.changed else ''}</td>")
        for held in steps.stores(at)
    ]
    return _table("What the stores hold", rows)


def _table(about: str, rows: list[tuple[Any, ...]], head: str = "") -> str:
    """Return rows of (whether the moment changed it, its title, its cells) as a table."""
    body = "".join(
        f'<tr class="{"eo-debugger-changed" if changed else ""}"><th scope="row">{title}</th>{cells}</tr>'
        for changed, title, cells in rows
    )
    return f'<table class="eo-debugger-held" aria-label="{about}">{head}<tbody>{body}</tbody></table>'


def _held(held: Any) -> str:
    if not held.records:
        return escape(held.text)
    before = len(held.records) - MOST_RECORDS
    shown = [f'<span class="eo-dim">… {before} before</span>'] if before > 0 else []
    shown += [_record(text, item, times) for text, item, times in held.records[-MOST_RECORDS:]]
    return ", ".join(shown)


def _record(text: str, item: int, times: int) -> str:
    if item is None:
        return escape(text)
    again = ' <b class="eo-bad">× again</b>' if times > 1 else ""
    return f'{escape(text)} <small class="eo-dim">hour {item}</small>{again}'


def processes_html(steps, at):
    """Return each process with its Lamport clock, and each incarnation with its action, as a table."""
    lives = {life_name(life.number): life for life in steps.lives(at)}
    acts, rows = steps.event(at).process, []
    for process, time in steps.clocks(at).items():
        life = lives.get(process)
        if part_title(process):
            name, doing = escape(part_title(process)), ""
        elif life is None:
            name, doing = escape(process), "has not begun"
        else:
            name = _chip(life, f"{SIGNS[life.state]} {life.name}")
            doing = escape(f"{life.state}: {life.doing}") + (f" · {escape(life.where)}" if life.where else "")
        rows.append((process == acts, name, f'<td class="eo-num">{time}</td><td>{doing}</td>'))
    head = "".join(f'<th scope="col">{title}</th>' for title in ("process", "clock", "doing"))
    return _table("Processes and clocks", rows, f"<thead><tr>{head}</tr></thead>")


def steps_html(steps: Any) -> str:
    """Return all moments in words, folded; a very long run has no such list."""
    if len(steps) > MOST_WORDS:
        return f'<p class="eo-dim">A list of all {len(steps)} steps would be too long to read.</p>'
    rows = [sentence(steps, at).split(": ", 1) for at in range(len(steps))]
    return folded(pd.DataFrame(rows, columns=["step", "what"]), "All steps in words")


def faults_html(steps: Any) -> str:
    """Return the moments at which a fault struck as buttons that lead there; of very many the first."""
    struck = steps.faults()
    if not struck:
        return '<span class="eo-dim">No fault struck in this run.</span>'
    buttons = "".join(_button(steps, at) for at in struck[:MOST_FAULTS])
    left = f' <span class="eo-dim">and {len(struck) - MOST_FAULTS} more</span>' if len(struck) > MOST_FAULTS else ""
    return f'<span class="eo-dim">Faults:</span> {buttons}{left}'


def _button(steps: Any, at: int) -> str:
    event = steps.event(at)
    sleeper = steps.puts_to_sleep(event)
    what = f"{steps.name(event.life)}: {event.text}"
    if sleeper is not None:
        what = f"{steps.name(sleeper)} put to sleep"
    elif (event.message or "").endswith("again"):
        what = f"{part_title(event.process)}: the request again"
    what = what if len(what) <= 44 else what[:43] + "…"
    return (
        f'<button type="button" class="eo-button eo-debugger-fault" data-step="{at}" '
        f'aria-label="Go to step {at + 1}: {escape(what)}">✖ {at + 1} · {escape(what)}</button>'
    )
