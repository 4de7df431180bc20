"""States a verdict in sentences: the differences, and the step and incarnation that caused each. All facts come from
the run.
"""

from collections import Counter
from collections.abc import Collection, Iterable

from ..errors import what_failed
from ..faults import MOST, POINTS, Fault
from ..node.access import register_in
from ..pipeline import Window
from ..stores import Value, describe, in_doubt
from ..stores.interface import Entry
from ..trace import Event
from .damage import Damage
from .outcome import output_index, readings_in
from .run import Ideal, Run

MESSAGES = "increments"  # the things to count
DONE = {
    "output": "pushed the average",
    "counter": "incremented the counter",
    "state": "saved the state",
    "positions": "saved the positions",
    "decided": "written the decision",
    "epoch": "raised the epoch",
    MESSAGES: "sent the message",
    "index": "moved the index on",
    "batch": "saved the batch id",
}
ENDED = {"commit_prepared": "committed", "rollback_prepared": "rolled back"}


def sentence(run: Run, damage: Damage, ideal: Ideal | None, unfinished: bool = False, right: int = 1) -> str:
    """Return the verdict on `run` in sentences, given its damage against the nearest of the `right` outcomes.

    unfinished: the run goes on, so the sentences leave out facts that only its end can show.
    """
    if run.error:
        return f"The handler itself failed, and no world can help that: {what_failed(run.error)}"
    warning = ideal.warning if ideal is not None else ""  # None: judged against outcomes that the caller gave
    silent = ideal is not None and ideal.silent and not damage.any
    parts = [f"Mind: {warning}."] if warning and not silent else []
    parts += [_unreached(run, *missed) for missed in run.plan.unreached(run.fired)]
    deaths = run.trace.deaths()
    rest = "the counter, the state and the positions"
    if run.blocked:
        parts.append(f"Blocked, neither right nor wrong: {run.blocked}.")
    elif damage.any:
        several = f"this is none of the {right:,} right outcomes. Against the nearest of them, " if right > 1 else ""
        parts += [f"Not exactly once: {several}{'; '.join(damage.phrases())}.", *filter(None, [damage.advice])]
    elif silent:
        more = f"; {rest} are right" if ideal and ideal.writes else ""
        parts.append(f"No output: {warning}{more}.")
    elif unfinished:
        parts.append(_so_far(run))
    elif right > 1:
        killed = "" if deaths else "nothing was killed, and "
        parts.append(f"Exactly once: {killed}this is one of the {right:,} right outcomes.")
    elif deaths and not run.outcome.outputs:
        parts.append(f"Exactly once: what it left in its stores is right, and so are {rest}.")
    elif deaths:
        more = ", and so is all else that it left" if run.outcome.others or run.outcome.registers else ""
        parts.append(f"Exactly once: every average is in the output once, and {rest} are right{more}.")
    else:
        parts.append("Exactly once: nothing was killed, and everything is there once.")
    parts += [_fault(run, event) for event in run.trace if event.verb == "fault"]
    parts += [_death(run, death, ideal) for death in deaths]
    parts += not_looked_at(run.outcome.overlooked)
    return run.job.said(" ".join(parts))


def not_looked_at(names: Iterable[str]) -> list[str]:
    """Return the sentence that names the contents outside a judgement, in a list; an empty list if there are none."""
    names = sorted(names)
    return [f"Not looked at: {'; '.join(names)}."] if names else []


def _so_far(run: Run) -> str:
    """Return the sentence for a run that goes on and is right so far: it names the averages in the output."""
    items = {push.item for push in run.pushes if push.item is not None}
    if not items:
        return "Nothing to judge yet: no average is in the output."
    some = "the average of hour 1 is" if items == {1} else f"each average up to hour {max(items)} is"
    return f"Exactly once so far: {some} in the output once."


def _unreached(run: Run, fault: Fault, lives: tuple[int, ...]) -> str:
    where = f"{fault.place} at hour {fault.item}" if fault.item else fault.place
    handled = any(event.item == fault.item for event in run.trace) if fault.item else True
    if lives:
        who = f"incarnation {lives[0]}" if len(lives) == 1 else f"incarnations {_list(map(str, lives))}"
        return f"Not reached: {where} by {who}; no such incarnation came there."
    if handled and fault.item:
        why = f"hour {fault.item} was handled, but its pass did not go through {fault.at}"
    elif fault.at in POINTS and not fault.item:
        passed = sorted({event.detail["point"] for event in run.trace if event.verb == "crash point"})
        why = f"the handler passed {_list(passed)}" if passed else "the handler passed no crash point"
    else:
        why = "no pass came there"
    return f"Not reached: {where}; {why}, so nothing {'was killed' if fault.deadly else 'happened'} there."


def _fault(run: Run, event: Event) -> str:
    """Describe the fault that struck a message between an incarnation and a store."""
    fault = run.plan.faults[int(event.detail["key"].split(".")[0])]
    step = f"{fault.at} of incarnation {event.life}" + (f" at hour {event.item}" if event.item else "")
    later = f"after {fault.until} further steps" if fault.until and fault.until < MOST else "when all nodes had ended"
    came = [
        other
        for other in run.trace
        if other.kind == "receive" and (other.life, other.step) == (event.life, event.step)
    ]
    refused = [(other.verb, other.text) == ("cas", "refused") for other in came if other.verb != "reply"] or [False]
    done = "refused" if refused[0] else "done"
    twice = (
        "refused both times" if all(refused) else "refused the second time" if any(refused) else "carried out twice"
    )
    return {
        "lost request": f"The request for {step} was lost, and no reply came.",
        "lost reply": f"The {step} was {done}, but its reply was lost.",
        "duplicated request": f"The request for {step} arrived twice"
        + (f", the second time {later}." if fault.until else f", and was {twice}."),
        "late request": f"The request for {step} was late: no reply came, and it arrived {later}.",
        "pause": f"Incarnation {event.life} fell asleep at {step}, and woke up {later}.",
    }[fault.kind]


def _death(run: Run, death: Event, ideal: Ideal | None) -> str:
    """Describe the death of an incarnation, its writes in its last pass, and the actions of its successor."""
    item, life = death.item, death.life
    place = death.detail.get("at")
    if place:
        how = f"was killed {place if ' ' in place else 'at ' + place}"
    else:
        how = f"was {death.text}" if death.text.startswith("killed") else "gave up"
    if name := _program(run, life):
        how += f" in the {name}"
    if item is None:
        did = dict.fromkeys(_did(entry.part) for entry in run.writes if entry.life == life)
        when = f"when it had {_list(did)}, and " if did else ""
        return f"Incarnation {life} {how}, {when}before it had read anything."
    registers = any(register_in(entry.part) for entry in run.writes)
    fetches = [event.step for event in run.trace if event.life == life and event.verb == "fetch"]
    began = 0 if registers else max(fetches, default=0)  # a pass over registers may read its hour several times
    mine = [entry for entry in run.writes if entry.life == life and entry.item == item and entry.step > began]
    done = list(dict.fromkeys(entry.part for entry in mine))
    others = _written_by_others(run, life)
    wanted = ideal.parts_of(item) if ideal else []
    wanted = [MESSAGES if part == "counter" and part in others else part for part in wanted]  # another node counts
    undone = [part for part in wanted if part not in done and part not in others]
    text = f"Incarnation {life} {how}, in the pass of hour {item}"
    aborted = (life, item) in (run.uncommitted or ())
    if aborted:
        text += " and in a transaction that nobody committed"
    if getattr(run.job, "arrival", None) != "together" or registers:
        # An hour then has several passes, or any incarnation may do the rest, so the missing writes of this one are
        # unknown.
        had = _list(dict.fromkeys(map(_did, done))) if done else "written nothing"
        return f"{text}, when it had {had}."
    had = "" if aborted and not done else f", {_had(done, undone)}"
    if prepared := _prepared(run, life, item):
        more = had.replace(", when it had", " and").replace(", before the first of its", " but before its other")
        had = f", when it had prepared the transaction {prepared!r}{more}"
    return f"{text}{had}. {_successor(run, _after(run, death), item, done, undone)}".strip()


def _written_by_others(run: Run, life: int) -> set[str]:
    """Return the parts that incarnations of other nodes write, and no incarnation of this one's node."""
    node_of = {start.life: start.detail.get("node", 0) for start in run.trace.lives()}
    parts: tuple[set[str], set[str]] = set(), set()
    for entry in run.writes:
        parts[node_of.get(entry.life) == node_of.get(life)].add(entry.part)
    return parts[False] - parts[True]


def _prepared(run: Run, life: int, item: int | None) -> str | None:
    """Return the id of the transaction that an incarnation prepared in its pass of an item and did not end, or
    None.
    """
    found = None
    for event in run.trace:
        if (event.kind, event.life, event.item) == ("receive", life, item) and event.process == in_doubt.PART:
            found = event.text if event.verb == "prepare" else None if event.verb in ENDED else found
    return found


def _ended(run: Run, life: int) -> str:
    """Return in words how an incarnation ended a transaction that it found prepared, before it read anything."""
    for event in run.trace:
        if (event.kind, event.life, event.item) == ("receive", life, None) and event.verb in ENDED:
            return f"{ENDED[event.verb]} {event.text!r}, "
    return ""


def _program(run: Run, life: int) -> str:
    """Return the name of the program of an incarnation, or ""."""
    return next((start.detail.get("program", "") for start in run.trace.lives() if start.life == life), "")


def _after(run: Run, death: Event) -> int:
    """Return the number of the incarnation that took over from a dead one; there may be other nodes."""
    lives = run.trace.lives()
    return next((start.life for start in lives if start.message and start.message == death.message), death.life + 1)


def _did(part: str) -> str:
    """Describe a write to a part."""
    if output_index(part) is not None:
        return DONE["output"]
    register = register_in(part)
    if part.startswith("log."):
        return f"appended to the partition {part.removeprefix('log.')}"
    # A named program's parts, and a handler's own store's parts, have the part after a dot: "streams.window".
    own = DONE.get(part.rpartition(".")[2], f"saved {part}")
    return own if register is None else f"written the register {register}"


def _had(done: Collection[str], undone: Collection[str]) -> str:
    if not done:
        return "before the first of its writes"
    if not undone:
        return "after the last of its writes"
    had = _list(map(_did, done))
    return f"when it had {had} but had not yet {_list(map(_did, undone), 'or')}"


def _successor(run: Run, life: int, item: int, done: Collection[str], undone: Collection[str]) -> str:
    """Describe what the next incarnation found and did. It found the last writes of the incarnations before it."""
    mine = [event for event in run.trace if event.life == life]
    if not mine:
        return "No incarnation came after it."
    read = {event.item for event in mine if event.verb == "fetch" and event.item is not None}
    if not read and any(event.verb == "dies" for event in mine):
        return ""  # it died before it did anything; the sentence on its own death follows
    before = [entry for entry in run.writes if entry.life < life]
    found = f"{_ended(run, life)}found {_found(run, {entry.part: entry.value for entry in before})} and "
    # the incarnation has no state and no positions of its own
    if {"positions", "state"} & _written_by_others(run, life):
        found = f"{_ended(run, life)}found where it was and "
    if read and min(read) < item:
        return f"Incarnation {life} {found}began again at hour {min(read)}."
    again = [entry for entry in run.writes if entry.life == life and entry.item == item]
    begun = {"state", "positions"} & {*_written_by_others(run, life), *(entry.part for entry in again)}
    if again and run.lock_free and not begun:
        parts = dict.fromkeys(_did(entry.part) for entry in again)
        return f"Incarnation {life} {found}finished hour {item}: it {_list(parts)}."
    if again:
        return f"Incarnation {life} {found}did hour {item} again{_repeated(again, before, item, done)}."
    if item in read:
        return f"Incarnation {life} {found}read hour {item} again."
    text = f"Incarnation {life} {found}went on after hour {item}"
    # The writer is an incarnation that slept in between, or this one: it ended the prepared transaction before it
    # read.
    late = {entry.part for entry in run.writes if entry.item == item or (entry.life, entry.item) == (life, None)}
    if undone := [part for part in undone if part not in late]:
        text += f", so nobody {_list(map(_did, undone), 'or')} for it"
    return text + "."


def _found(run: Run, held: dict[str, Value]) -> str:
    """Describe the positions and the state that an incarnation found, in the usual stores or in the handler's own."""
    written = {entry.part for entry in run.writes}
    kept = written & {"positions", "state"}
    own = sorted(part for part in written - DONE.keys() if "." in part and not part.startswith("log."))
    if own and len(kept) < 2:
        saved = [*sorted(kept), *own]
        holds = {part: describe(held.get(part)).replace("window of ", "") for part in saved}
        return _list(f"{value} in {part if '.' in part else f'the {part}'}" for part, value in holds.items())
    positions, state = held.get("positions"), held.get("state")
    at = run.job.hour_at(min(positions.values())) if positions else 0
    newest = max((hour for hour, _ in readings_in(state)), default=0)
    if not kept:
        return "nothing saved"
    if kept == {"state"}:
        return f"the state at {_hour(newest)}" if state is None or isinstance(state, Window) else "the saved state"
    if kept == {"positions"} or not (state is None or isinstance(state, Window)):
        return f"positions at {_hour(at)}"
    if at == newest:
        return f"positions and state both at {_hour(at)}"
    return f"positions at {_hour(at)} and state at {_hour(newest)}"


def _repeated(again: Iterable[Entry], before: Iterable[Entry], item: int, done: Collection[str]) -> str:
    """Describe the writes that handling an hour again repeated; the writes are those of the repeating incarnation."""
    held = [Counter(entry.inputs) if entry.part == "output" else readings_in(entry.value) for entry in again]
    most = max((count for inputs in held for (hour, _), count in inputs.items() if hour == item), default=0)
    if most > 1:
        return f", so that it entered the window {_time(most)}"
    repeated = list(dict.fromkeys(entry.part for entry in again if entry.part in done))
    times: dict[
        int, list[str]
    ] = {}  # the number of incarnations that had written a part, plus this one; parts can differ in that number
    for part in repeated:
        lives = {entry.life for entry in before if entry.item == item and entry.part == part}
        times.setdefault(len(lives) + 1, []).append(_did(part))
    clauses = [f"{_list(did)} {_time(number)}" for number, did in times.items()]
    return f": it {', and '.join(clauses)}" if clauses else ""


def _time(number: int) -> str:
    return {2: "a second time", 3: "a third time"}.get(number, f"a {number}th time")


def _hour(hour: int) -> str:
    return f"hour {hour}" if hour else "the start"


def _list(words: Iterable[str], joint: str = "and") -> str:
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"
