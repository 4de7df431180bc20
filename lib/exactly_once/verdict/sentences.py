"""Saying a verdict in sentences: what is wrong, and which step of which life did it. All of it is read off the run."""

from collections import Counter

from ..faults import MOST
from ..node import Window
from ..node.registers import register_in
from ..node.words import spans
from .outcome import output_index, readings_in

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
    parts = [warning for warning in (_warning(ideal),) if warning]
    parts += [_unreached(run, *missed) for missed in run.plan.unreached(run.fired)]
    deaths = run.trace.deaths()
    if damage.any:
        parts.append(f"Not exactly once: {'; '.join(_clauses(damage))}.")
    elif deaths:
        parts.append(
            "Exactly once: every average is in the output once, and the counter, the state and the positions are right."
        )
    else:
        parts.append("Exactly once: nothing was killed, and everything is there once.")
    parts += [_misfortune(run, event) for event in run.trace if event.verb == "fault"]
    parts += [_death(run, death, ideal) for death in deaths]
    return " ".join(parts)


def _warning(ideal):
    """Return what makes a verdict worth little: a handler is judged by what it does itself when nothing goes wrong."""
    if ideal is None:  # judged against a set of outcomes that the caller gave, not against runs of this handler
        return ""
    if not ideal.writes:
        return "Mind: even without any fault this handler writes nothing, so there is nothing to judge."
    return "" if ideal.read_all else "Mind: even without any fault this handler leaves some of its inputs unread."


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
    return f"Not reached: {where}; {why}, so nothing {'was killed' if fault.deadly else 'happened'} there."


def _misfortune(run, event):
    """Return what befell a message between a life and a store."""
    fault = run.plan.faults[int(event.detail["key"].split(".")[0])]
    step = f"{fault.at} of life {event.life}" + (f" at hour {event.item}" if event.item else "")
    later = f"after {fault.until} further steps" if fault.until and fault.until < MOST else "when all nodes had ended"
    return {
        "lost request": f"The request for {step} was lost, and no reply came.",
        "lost reply": f"The {step} was done, but its reply was lost.",
        "duplicated request": f"The request for {step} arrived twice"
        + (f", the second time {later}." if fault.until else ", and was carried out twice."),
        "late request": f"The request for {step} was late: no reply came, and it arrived {later}.",
        "pause": f"Life {event.life} fell asleep at {step}, and woke up {later}.",
    }[fault.kind]


def _clauses(damage):
    clauses = []
    if damage.duplicated:
        clauses.append(f"{_averages(damage.duplicated)} in the output more than once")
    if damage.missing:
        clauses.append(f"{_averages(damage.missing)} missing from the output")
    if damage.wrong:
        clauses.append(f"{_averages(damage.wrong)} wrong{_reasons(damage)}")
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


def _averages(items):
    if None in items:  # pushed by a handler that had read nothing
        hours = [item for item in items if item is not None]
        return f"what belongs to {spans(hours)} and a value of no hour are" if hours else "a value of no hour is"
    return f"the average of {spans(items)} is" if len(items) == 1 else f"the averages of {spans(items)} are"


def _reasons(damage):
    reasons = {reason for item in damage.wrong for reason in damage.wrong_because.get(item, ())}
    windows, said = "its window" if len(damage.wrong) == 1 else "their windows", []
    for kind, where in (("twice", f"in {windows} more than once"), ("left out", f"left out of {windows}")):
        hours = {hour for odd, hour in reasons if odd == kind}
        if hours:
            said.append(f"{spans(hours)} {'is' if len(hours) == 1 else 'are'} {where}")
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
        return f"Life {life} {how}, before it had read anything."
    registers = any(register_in(entry.part) for entry in run.writes)
    fetches = [event.step for event in run.trace if event.life == life and event.verb == "fetch"]
    began = 0 if registers else max(fetches, default=0)  # a pass over registers may read its hour several times
    mine = [entry for entry in run.writes if entry.life == life and entry.item == item and entry.step > began]
    done = list(dict.fromkeys(entry.part for entry in mine))
    undone = [part for part in ideal.parts_of(item) if part not in done]
    text = f"Life {life} {how}, in the pass of hour {item}"
    if run.job.arrival != "together" or registers:
        # An hour then has several passes, or any life may do the rest: what was left undone by this one is not known.
        had = _list(dict.fromkeys(map(_did, done))) if done else "written nothing"
        return f"{text}, when it had {had}."
    return f"{text}, {_had(done, undone)}. {_heir(run, life + 1, item, done, undone)}".strip()


def _did(part):
    """Return in words what a write to a part did."""
    if output_index(part) is not None:
        return DONE["output"]
    register = register_in(part)
    return DONE.get(part, part) if register is None else f"written the register {register}"


def _had(done, undone):
    if not done:
        return "before the first of its writes"
    if not undone:
        return "after the last of its writes"
    had = _list(DONE.get(part, part) for part in done)
    return f"when it had {had} but had not yet {_list((DONE.get(part, part) for part in undone), 'or')}"


def _heir(run, life, item, done, undone):
    """Return what the next life found and did. What it found is what the lives before it had written last."""
    mine = [event for event in run.trace if event.life == life]
    if not mine:
        return "No life came after it."
    read = {event.item for event in mine if event.verb == "fetch"}
    if not read and any(event.verb == "dies" for event in mine):
        return ""  # it died before it did anything, and its own death is told next
    before = [entry for entry in run.writes if entry.life < life]
    positions = next((entry.value for entry in reversed(before) if entry.part == "positions"), None)
    state = next((entry.value for entry in reversed(before) if entry.part == "state"), None)
    at = run.job.hour_at(min(positions.values())) if positions else 0
    newest = max((hour for hour, _ in readings_in(state)), default=0)
    if state is not None and not isinstance(state, Window):
        found = f"positions at {_hour(at)}"
    elif at == newest:
        found = f"positions and state both at {_hour(at)}"
    else:
        found = f"positions at {_hour(at)} and state at {_hour(newest)}"
    again = [entry for entry in run.writes if entry.life == life and entry.item == item]
    if again:
        return f"Life {life} found {found} and did hour {item} again{_repeated(again, before, item, done)}."
    if item in read:
        return f"Life {life} found {found} and read hour {item} again."
    text = f"Life {life} found {found} and went on after hour {item}"
    if undone:
        text += f", so nobody {_list((DONE.get(part, part) for part in undone), 'or')} for it"
    return text + "."


def _repeated(again, before, item, done):
    """Return what doing an hour again doubled, read off the writes of the life that did it."""
    held = [Counter(entry.inputs) if entry.part == "output" else readings_in(entry.value) for entry in again]
    most = max((count for inputs in held for (hour, _), count in inputs.items() if hour == item), default=0)
    if most > 1:
        return f", so that it entered the window {_time(most)}"
    repeated = list(dict.fromkeys(entry.part for entry in again if entry.part in done))
    times = {}  # the lives that had written a part, and this one, tell how often; parts can differ in that
    for part in repeated:
        lives = {entry.life for entry in before if entry.item == item and entry.part == part}
        times.setdefault(len(lives) + 1, []).append(DONE.get(part, part))
    clauses = [f"{_list(did)} {_time(number)}" for number, did in times.items()]
    return f": it {', and '.join(clauses)}" if clauses else ""


def _time(number):
    return {2: "a second time", 3: "a third time"}.get(number, f"a {number}th time")


def _hour(hour):
    return f"hour {hour}" if hour else "the start"


def _list(words, joint="and"):
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"
