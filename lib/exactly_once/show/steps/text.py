"""A moment of a run in words: the sentence beside the drawing, which screen readers read aloud."""

from ...node.access import part_in_words
from ...trace import life_name
from ..diagrams.table import part_title, placement
from .store_contents import WITHOUT_EFFECT

TITLES = {
    "input": "the inputs", "positions": "the saved positions", "state": "the saved state",
    "output": "the output log", "counter": "the database",
}  # fmt: skip
COMES = {  # what a verb of a store has done, by the words of the event
    "append": "{} is appended", "add": "{} is counted", "put": "the message {} waits there",
    "take": "the message {} is taken out", "acquire": "it is now {}", "release": "it is now {}",
}  # fmt: skip


def sentence(steps, at):
    """Return the sentence on a moment of a `Steps`, with number, stamp, hour and line."""
    event = steps.event(at)
    about = [f"clock {event.stamp}"]
    about += [f"{what} {of}" for what, of in (("hour", event.item), ("line", event.line)) if of is not None]
    text = what_happens(steps, event).rstrip(".")
    return f"Step {at + 1} of {len(steps)} ({', '.join(about)}): {_capital(text)}."


def _capital(text):
    """Return a sentence with a capital, also after the sign of a fault."""
    start = 2 if text.startswith("✖ ") else 0
    return text[:start] + text[start].upper() + text[start + 1 :]


def what_happens(steps, event):
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


def _title(part):
    return TITLES.get(part) or part_in_words(part or "")


def _start(steps, event, name):
    place = placement(event)
    text = f"{name} begins" + (f" ({place})" if place else "")
    sleeper = steps.puts_to_sleep(event)
    if sleeper is not None:
        return f"{text}, for {steps.name(sleeper)} has been put to sleep and may wake up at any moment"
    death = next((other for other in steps.events if other.verb == "dies" and other.message == event.message), None)
    return f"{text}, and takes over from {steps.name(death.life)}" if death is not None else text


def _at_a_store(steps, event, name):
    again = " for a second time" if (event.message or "").endswith("again") else ""
    came = COMES.get(event.verb, "it now holds {}").format(event.text)
    if (event.verb, event.text) in WITHOUT_EFFECT[:1]:
        came = "it is refused, as the version is another one by now"
    elif event.verb in ("read", "fetch"):
        came = f"it gives {found}" if (found := _answered(steps, event)) else "it is read"
    return f"the request of {name} arrives at {_title(event.process)}{again}: {came}"


def _answered(steps, event):
    """Return the words of the reply to a request, once it has come; "" if the incarnation died before, or the reply
    was lost.
    """
    own = (other for other in steps.events if (other.life, other.step) == (event.life, event.step))
    return next((other.text for other in own if other.process == life_name(event.life) and other.verb == "reply"), "")


def _fault(event, name):
    if event.text == "duplicated request":
        return f"✖ the request of {name} has arrived twice"
    if event.text == "pause":
        return f"{name} falls asleep before its next step"
    if event.text == "late request":
        part = _title(event.detail.get("part"))
        return f"✖ the request of {name} is late: whether, and when, it will reach {part}, {name} cannot know"
    what = {"lost request": "request of", "lost reply": "reply to"}.get(event.text, event.text)
    return f"✖ the {what} {name} is lost: whether {_title(event.detail.get('part'))} did it, it cannot know"
