"""The sentences of the Twins console: on each twin, and on the run as a whole."""

from html import escape

from ..base.nodes import plural, who
from .reading import finished_since, held_by, hour_at, longest_wait_since, strikes

NOTHING = (
    "Nothing runs yet. <b>Start</b> brings up nodes of the lock-free handler on the cluster, all at once. Then "
    "stop one with SIGSTOP, or kill it, while records arrive: which hours will be late, doubled or missing?"
)


def status_words(twin, now):
    """Return (kind, words) of a twin's state at a moment; kind is "good", "warn", "bad" or "none"."""
    if twin.armed:
        point, what, _ = twin.armed
        return "warn", f"◎ will be {'stopped' if what == 'stop' else 'killed'} at {point}"
    since = seconds(now - twin.since)
    return {
        "running": ("good", "▶ running"),
        "stopped": ("warn", f"❚❚ stopped {since}"),
        "killed": ("bad", f"✖ killed {since} ago, Spark starts it again"),
        "failed": ("bad", "✗ failed"),
        "starting": ("none", "begins …"),
    }.get(twin.status, ("none", twin.status))


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
    title, _, rest = map(escape, shot.sentence.partition(": "))
    if shot.wrong is not None or not shot.right:
        kind, sign = ("good", "✓") if shot.right else ("bad", "✗")
        return kind, f"{sign} {title}.", rest[:1].upper() + rest[1:] + ("" if shot.wrong is None else _figures(shot))
    if state.busy == "idle":
        return "none", "The run is over.", f"{title}: {rest}"
    still = [twin for twin in shot.twins if twin.status in ("stopped", "killed")]
    if len(still) == len(shot.twins):
        waiting = f"{plural(len(shot.waiting), 'record')} {'waits' if len(shot.waiting) == 1 else 'wait'}"
        way = "Resume one" if any(twin.status == "stopped" for twin in still) else "Spark starts them again"
        return "warn", "! Nobody is at work.", f"{rest} {waiting}, and nothing is lost. {way}, and it goes on."
    more = _one_still(shot, max(still, key=lambda twin: twin.since)) if still else _calm(shot)
    return "good", f"✓ {title}:", f"{rest} {more}"


def _figures(shot):
    """Return each twin's share of the transitions, and the longest wait, after a run."""
    versions = max(len(shot.versions), 1)
    shares = ", ".join(f"{name(twin.number)} {twin.won / versions:.0%}" for twin in shot.twins)
    longest = f" The longest wait was {millis(longest_wait_since(shot, 0))}." if shot.tape else ""
    return f" Transitions: {shares}.{longest}"


def _calm(shot):
    """Return the sentences while all twins run: on the newest fault, or on the transitions of each twin."""
    past = strikes(shot)
    if past:
        strike = past[-1]
        longest = longest_wait_since(shot, strike.hour)
        lasted = f" for {seconds(strike.until - strike.wall)}" if strike.until else ""
        what = "was stopped" if strike.kind == "stop" else "had no process"
        waited = f"No record from hour {strike.hour} on waited longer than {millis(longest)}." if longest else ""
        return f"{name(strike.node, 'Twin')} {what}{lasted} and is at work again. {waited}"
    shares = ", ".join(f"{name(twin.number)} {twin.won}" for twin in shot.twins)
    return f"All of them make transitions: {shares}. A cas that is lost costs its twin a look, and nobody waits."


def _one_still(shot, twin):
    """Describe a stopped twin: its position, the others' progress meanwhile, and its next step."""
    wall = max((one.wall for one in strikes(shot) if one.node == twin.number), default=0)
    longest = longest_wait_since(shot, hour_at(shot, wall))
    waited = f"since then no record has waited longer than {millis(longest)}." if longest else "no output since."
    done, others = finished_since(shot, wall), [one for one in shot.twins if one.status == "running"]
    whom = f"{name(others[0].number, 'Twin')} has" if len(others) == 1 else "The others have"
    span = f"hour {done[0]}" if len(done) == 1 else f"hours {done[0]} to {done[-1]}" if done else ""
    finished = f"{whom} finished {span}. " if done else ""
    whom, since = name(twin.number, "Twin"), seconds(shot.now - twin.since)
    if twin.status == "killed":
        return (
            f"{whom} was killed {since} ago, Spark starts it again: {waited} {finished}"
            "Its next incarnation reads the register, and goes on from there."
        )
    held = held_by(shot, twin)
    return f"{whom} has been stopped for {since}: {waited} {held.where}{finished}{held.waking}"


def name(number, title="twin"):
    """Return a twin's name, with its sign."""
    return f"{who(number - 1)} {title} {number}"
