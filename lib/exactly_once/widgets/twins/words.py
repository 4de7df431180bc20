"""The sentences of the Twins console: on each twin, and on the run as a whole."""

from html import escape

from ..base.nodes import plural, who
from .reading import finished_since, held_by, hour_at, longest_wait_since, strikes

NOTHING = (
    "Nothing runs yet. <b>Start</b> brings up nodes of the lock-free handler on the cluster, all at once. Then "
    "stop one with SIGSTOP, or kill it, while records arrive: which hours will be late, doubled or missing?"
)
SHOWN = {"stop": "stopped", "kill": "killed"}


def status_words(twin):
    """Return (kind, words) of a twin's state; kind is "good", "warn", "bad" or "none"."""
    if twin.status == "running":
        return "good", "▶ running"
    if twin.status == "stopped":
        return "warn", f"❚❚ stopped {seconds(twin.since)}"
    if twin.status == "killed":
        return "bad", f"✖ killed {seconds(twin.since)} ago, Spark starts it again"
    words = {"failed": ("bad", "✗ failed"), "starting": ("none", "begins …")}
    return words.get(twin.status, ("none", twin.status))


def armed_words(armed):
    """Return the armed fault of a twin in words: (crash point, "stop" or "kill")."""
    point, what = armed
    return f"◎ will be {SHOWN[what]} at {point}"


def seconds(number):
    """Return seconds in words."""
    if number < 0.0995:
        return f"{1000 * number:.0f} ms"
    return f"{number:.1f} s" if number < 99.95 else f"{number:.0f} s"


def millis(number):
    """Return seconds in milliseconds where they are few."""
    return f"{1000 * number:,.0f} ms" if number < 9.9995 else f"{number:.1f} s"


def verdict(state):
    """Return (the kind of banner, its first words, the rest as HTML) of a console's state."""
    shot = state.shot
    if shot is None:
        if state.busy != "idle":
            return "none", "One moment.", escape(state.status or "The twins begin …")
        return "none", "Twins, for real.", NOTHING
    if state.result is not None:
        return _ended(state.result)
    if not shot.right:
        return "bad", "✗ Not exactly once.", escape(shot.sentence.partition(": ")[2])
    done = f"{plural(len(shot.tape), 'hour')}, each once, in order."
    still = [twin for twin in shot.twins if twin.status in ("stopped", "killed")]
    if state.busy == "idle":
        return "none", "The run is over.", f"{done} {escape(shot.sentence)}"
    title = "✓ Exactly once so far:"
    if not still:
        return "good", title, f"{done} {_calm(shot)}"
    if len(still) == len(shot.twins):
        waiting = f"{plural(len(shot.waiting), 'record')} {'waits' if len(shot.waiting) == 1 else 'wait'}"
        way = "Resume one" if any(twin.status == "stopped" for twin in still) else "Spark starts them again"
        return "warn", "! Nobody is at work.", f"{done} {waiting}, and nothing is lost. {way}, and it goes on."
    return "good", title, f"{done} {_one_still(shot, min(still, key=lambda twin: twin.since))}"


def _ended(result):
    kind, sign = ("good", "✓") if result.exactly_once else ("bad", "✗")
    title, _, rest = str(result).partition(": ")
    shares = ", ".join(f"{name(number)} {share:.0%}" for number, share in result.shares.items())
    waits = [cell.wait for cell in result.state.tape]
    longest = f" The longest wait was {millis(max(waits))}." if waits else ""
    return kind, f"{sign} {escape(title)}.", f"{escape(rest[:1].upper() + rest[1:])} Transitions: {shares}.{longest}"


def _calm(shot):
    """Return the sentences while all twins run: on the newest fault, or on the transitions of each twin."""
    past = strikes(shot)
    if past:
        strike = past[-1]
        longest = longest_wait_since(shot, strike.hour)
        lasted = f" for {seconds(strike.until - strike.wall)}" if strike.until else ""
        what = "was stopped" if strike.kind == "stop" else "had no process"
        waited = f"No record from hour {strike.hour} on waited longer than {millis(longest)}." if longest else ""
        return f"{_cap(name(strike.node))} {what}{lasted} and is at work again. {waited}"
    shares = ", ".join(f"{name(twin.number)} {twin.won}" for twin in shot.twins)
    return f"All of them make transitions: {shares}. A cas that is lost costs its twin a look, and nobody waits."


def _one_still(shot, twin):
    """Describe a stopped twin: its position, the others' progress meanwhile, and its next step."""
    wall = max((one.wall for one in strikes(shot) if one.node == twin.number), default=0)
    hour = hour_at(shot, wall)
    longest = longest_wait_since(shot, hour)
    waited = f"since then no record has waited longer than {millis(longest)}." if longest else "no output since."
    done = finished_since(shot, wall)
    others = [one for one in shot.twins if one.status == "running"]
    whom = name(others[0].number) if len(others) == 1 else "the others"
    finished = f"{_cap(whom)} {'has' if len(others) == 1 else 'have'} finished {_span(done)}. " if done else ""
    if twin.status == "killed":
        return (
            f"{_cap(name(twin.number))} was killed {seconds(twin.since)} ago, Spark starts it again: "
            f"{waited} {finished}Its next incarnation reads the register, and goes on from there."
        )
    return (
        f"{_cap(name(twin.number))} has been stopped for {seconds(twin.since)}: {waited} "
        f"{_where(shot, twin)}{finished}{_waking(shot, twin)}"
    )


def _where(shot, twin):
    held = held_by(shot, twin)
    what = f"the counter’s message of hour {held.hour}" if held.output else f"hour {held.hour}"
    if held.next == "read":
        return f"It stopped after a cas, with version {held.version}. "
    doing = {"HANDLING": "to handle", "PREPARING": "to place"}.get(held.stage)
    doing = doing or ("to push" if held.next == "push" else "pushed")
    return f"It stopped in {held.stage}, with {what} {doing}. "


def _waking(shot, twin):
    held, now = held_by(shot, twin), len(shot.versions)
    if not held.stale:
        return "The register is still as it knows it."
    if held.next == "read":
        return f"When it wakes, it reads the register, now at version {now}, and goes on from there."
    push = "its push finds that there, " if held.next == "push" else ""
    return f"When it wakes, {push}its cas fails ({held.version} ≠ {now}), and it reads again."


def _span(hours):
    return f"hour {hours[0]}" if len(hours) == 1 else f"hours {hours[0]} to {hours[-1]}"


def name(number):
    """Return a twin's name, with its sign."""
    return f"{who(number - 1)} twin {number}"


def _cap(text):
    return text.replace("twin", "Twin", 1) if "twin" in text else text[:1].upper() + text[1:]
