"""Saying a verdict in sentences: what is wrong, and which step of which life did it. All of it is read off the run."""

from ..node.words import spans
from .outcome import readings_in

DONE = {
    "output": "pushed the average",
    "counter": "incremented the counter",
    "state": "saved the state",
    "positions": "saved the positions",
}


def sentence(run, damage, ideal):
    """Return the verdict on `run` in sentences, given its damage against the nearest right outcome."""
    if run.error:
        return f"The handler itself failed, and no world can help that: {run.error.strip().splitlines()[-1]}"
    parts = [_unreached(run, *missed) for missed in run.plan.unreached(run.fired)]
    deaths = run.trace.deaths()
    if damage.any:
        parts.append(f"Not exactly once: {'; '.join(_clauses(damage))}.")
    elif deaths:
        parts.append(
            "Exactly once: every average is in the output once, and the counter, the state and the positions are right."
        )
    else:
        parts.append("Exactly once: nothing was killed, and everything is there once.")
    parts += [_death(run, death, ideal) for death in deaths]
    return " ".join(parts)


def _unreached(run, fault, lives):
    where = f"{fault.place} at hour {fault.item}" if fault.item else fault.place
    handled = any(event.item == fault.item for event in run.trace) if fault.item else True
    if lives:
        who = f"life {lives[0]}" if len(lives) == 1 else f"lives {_list(map(str, lives))}"
        return f"Not reached: {where} by {who}; no such life came there."
    if handled and fault.item:
        why = f"hour {fault.item} was handled, but its pass did not go through {fault.at}"
    else:
        why = "no pass came there"
    return f"Not reached: {where}; {why}, so nothing was killed there."


def _clauses(damage):
    clauses = []
    if damage.duplicated:
        clauses.append(f"the average of {spans(damage.duplicated)} is in the output more than once")
    if damage.missing:
        clauses.append(f"the average of {spans(damage.missing)} is missing from the output")
    if damage.wrong:
        clauses.append(f"the average of {spans(damage.wrong)} has a wrong value{_reasons(damage)}")
    if damage.disordered:
        clauses.append("the averages are in another order than any crash-free run gives")
    if damage.counter != damage.expected_counter:
        clauses.append(f"the counter is {damage.counter} and should be {damage.expected_counter}")
    if damage.doubled_inputs:
        clauses.append(f"the saved window holds {spans(hour for hour, _ in damage.doubled_inputs)} too often")
    if damage.lacking_inputs:
        clauses.append(f"the saved window lacks {spans(hour for hour, _ in damage.lacking_inputs)}")
    if damage.state_differs and not (damage.doubled_inputs or damage.lacking_inputs):
        clauses.append("the saved state is another than after any crash-free run")
    if damage.positions_differ:
        clauses.append("the saved positions are others than after any crash-free run")
    return clauses


def _reasons(damage):
    reasons = {reason for item in damage.wrong for reason in damage.wrong_because.get(item, ())}
    said = []
    for kind in ("twice", "left out"):
        hours = [hour for odd, hour in reasons if odd == kind]
        if hours:
            said.append(
                f"{spans(hours)} {'is' if len(set(hours)) == 1 else 'are'} "
                + ("in its window twice" if kind == "twice" else "left out of its window")
            )
    return f", since {' and '.join(said)}" if said else ""


def _death(run, death, ideal):
    """Return what one life had done of its last pass when it died, and what its heir made of that."""
    item, life = death.item, death.life
    place = death.detail.get("at")
    if place:
        how = f"was killed {place if ' ' in place else 'at ' + place}"
    else:
        how = f"was {death.text}" if death.text.startswith("killed") else "gave up"
    if item is None:
        return f"Life {life} {how} before it had read anything."
    done = [entry.part for entry in run.writes if entry.life == life and entry.item == item]
    undone = [part for part in ideal.parts_of(item) if part not in done]
    text = f"Life {life} {how}, in the pass of hour {item}, {_had(done, undone)}."
    return f"{text} {_heir(run, life + 1, item, done, undone)}".strip()


def _had(done, undone):
    if not done:
        return "before the first of its writes"
    if not undone:
        return "after the last of its writes"
    had, had_not = (
        _list((DONE.get(part, part) for part in parts), joint) for parts, joint in ((done, "and"), (undone, "or"))
    )
    return f"when it had {had} and had not yet {had_not}"


def _heir(run, life, item, done, undone):
    """Return what the next life found and did. What it found is what the lives before it had written last."""
    if not any(event.life == life for event in run.trace.lives()):
        return "No life came after it."
    before = [entry for entry in run.writes if entry.life < life]
    positions = next((entry.value for entry in reversed(before) if entry.part == "positions"), None)
    state = next((entry.value for entry in reversed(before) if entry.part == "state"), None)
    at = run.job.hour_at(min(positions.values())) if positions else 0
    newest = max((hour for hour, _ in readings_in(state)), default=0)
    found = (
        f"positions and state both at {_hour(at)}"
        if at == newest
        else f"positions at {_hour(at)} and state at {_hour(newest)}"
    )
    again = [entry.part for entry in run.writes if entry.life == life and entry.item == item]
    if again or at < item:
        repeated = [DONE.get(part, part) for part in again if part in done]
        text = f"Life {life} found {found} and did hour {item} again"
        if newest >= item > at:
            text += ", so that it entered the window a second time"
        elif repeated:
            text += f": it {_list(repeated)} a second time"
        return text + "."
    text = f"Life {life} found {found} and went on after hour {item}"
    if undone:
        text += f", so nobody {_list((DONE.get(part, part) for part in undone), 'or')} for it"
    return text + "."


def _hour(hour):
    return f"hour {hour}" if hour else "the start"


def _list(words, joint="and"):
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"
