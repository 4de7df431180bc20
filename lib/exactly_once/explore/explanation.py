"""A schedule, told line by line, and its result in a sentence."""

import itertools
from dataclasses import replace
from typing import Any

from ..errors import what_failed
from ..faults import FaultPlan
from ..simulate.schedule import (
    ARRIVAL,
    CRASH,
    DUPLICATE,
    LATE_DUPLICATE,
    LATE_REQUEST,
    LOST_REPLY,
    LOST_REQUEST,
    OPTION,
    PAUSE,
    STEP,
    STEP_AND_CRASH,
)
from ..stores.codec import describe
from ..stores.operations import NOT_HELD
from ..trace import Event, Trace, life_name, name_with_node
from ..verdict.verdict import endless, step_limit
from ..verdict.verdict_sentences import sentence
from .search.specification import FaultFree, Invariant, View

QUIET = {"load", "read", "crash point"}  # steps that write nothing, and decide nothing
FAIR = (
    "This breaks the handler: no node is stopped, each goes on whenever it can, and still they never come to an end."
)
ASKED = "This breaks the handler, since lock_free=True asks that no node ever has to wait for another."
NO_VIOLATION = "This is no violation: it lasts only while another node is stopped, and ends when that one goes on."

ENDS = {
    CRASH: "dies before it",
    STEP_AND_CRASH: "dies right after it",
    PAUSE: "falls asleep before it, and the node's next incarnation begins",
    LOST_REQUEST: "its request is lost",
    LOST_REPLY: "it is done, but its reply is lost",
    DUPLICATE: "its request arrives twice",
    LATE_REQUEST: "its request is late, and the outcome unknown",
    LATE_DUPLICATE: "it is done, and a second copy of its request is still under way",
}

LATE = {LATE_REQUEST: "", LATE_DUPLICATE: "again"}


def explain(replay: Any, loop: int = 0) -> tuple[str, ...]:
    """Return the lines that explain a schedule: runs of steps of one incarnation, faults, and waits at its end.

    The last `loop` steps are said to go on for ever.
    """
    nodes = {event.life: event.detail.get("node", 0) for event in replay.run.trace.lives()}
    texts, quiet = _texts(replay.run.trace)
    refusals = {event.message for event in replay.run.trace if (event.verb, event.text) == ("cas", "refused")}
    lines: list[str] = []
    who, done, under_way = None, [], []

    def name(life: Any) -> str:
        return name_with_node(life, nodes).capitalize()

    def close() -> None:
        if done:
            lines.append(f"{name(who)}: {_shortened(done).removesuffix('.')}.")  # an error is a sentence already
            done.clear()

    decisions = zip(replay.schedule, replay.steps, replay.texts, strict=True)
    for number, (decision, (life, step), intended) in enumerate(decisions):
        if loop and number == len(replay.schedule) - loop:
            close()
            lines.append("From here on it loops:")
        if decision.kind == ARRIVAL:
            close()
            refused = under_way[decision.option] in refusals
            lines.append(f"The late request arrives: {intended}{': refused' if refused else ''}.")
            continue
        if life != who:
            close()
            who = life
        text = texts.get((life, step), intended)
        if decision.kind in LATE:
            under_way.append(f"{life}.{step}>{LATE[decision.kind]}")
            text = intended if decision.kind == LATE_REQUEST else text
        if decision.kind == OPTION and number and replay.steps[number - 1] == (life, step):
            continue  # which stream's reading comes next: the read says it
        if decision.kind in (STEP, OPTION):
            done.append((text, (life, step) in quiet))
        else:
            close()
            ends = ENDS[decision.kind]
            if decision.kind == CRASH and text.startswith("crash point "):
                ends = "dies there"
            elif decision.kind == LOST_REPLY and text.endswith(": refused"):
                ends = "its reply is lost"
            lines.append(f"{name(life)}: {text}: {ends}.")
    close()
    if loop:
        lines.append("Now everything is as it was there, but for version numbers; and so on, for ever.")
    lines += [f"{name(event.life)}: waits to {_wish(event, holder)}." for _, event, holder in replay.waiting]
    return tuple(lines)


def _wish(event: Event, holder: Any) -> str:
    """Return the action that an incarnation waits for."""
    if event.verb == "receive":
        return event.text.replace("receive", "receive a message")
    if isinstance(holder, str):
        return f"{event.text}, and the prepared transaction {holder!r} holds that row"
    if "asked" in event.detail:
        return f"{event.text}, once the transaction of node {holder + 1} has ended"
    return event.text if holder is None else f"{event.text}, which node {holder + 1} holds"


def _texts(trace: Any) -> tuple[dict[tuple[int, int], str], set[tuple[int, int]]]:
    """Return {(life, step): action and value read, in words}, and the steps that wrote nothing."""
    texts, verbs = {}, {}
    for event in trace:
        key = event.life, event.step
        if event.process != life_name(event.life):
            tells = event.verb in ("write", "add") or (event.verb, event.text) == ("cas", "refused")
            tells = tells and f" {event.text}" not in texts.get(key, "")  # a request may have said the value itself
            if tells and event.kind == "receive" and not event.message.endswith("again"):
                texts[key] = f"{texts[key]}: {event.text}"
        elif event.verb not in ("start", "reply", "fault", "wakes", "dies", "ends"):
            texts.setdefault(key, event.text)
            verbs.setdefault(key, event.verb)
        elif event.verb == "reply" and "sender" in event.detail:
            texts[key] = f"receive {event.text}"
        elif event.verb == "reply" and (verbs[key] in QUIET or event.text == NOT_HELD):
            texts[key] = f"{texts[key]}: {event.text}" if event.detail["part"] != "input" else texts[key]
    return texts, {key for key, verb in verbs.items() if verb in QUIET}


def _shortened(done: list[tuple[str, bool]]) -> str:
    """Return steps in a line: all steps that write or decide, and the first and the last of the other steps."""
    groups = []  # (text, whether it writes nothing, how many equal ones in a row)
    for (text, quiet), equal in itertools.groupby(done):
        count = len(list(equal))
        groups.append((text if count == 1 else f"{text} ({count} times)", quiet, count))
    said, middle = [], groups[2:-2]
    for quiet, found in itertools.groupby(middle, key=lambda group: group[1]):
        some = list(found)
        steps = sum(count for _, _, count in some)
        said += [f"… {steps} steps that write nothing …"] if quiet and len(some) > 2 else [text for text, *_ in some]
    ends = [text for text, *_ in groups[:2]], [text for text, *_ in groups[max(2, len(groups) - 2) :]]
    return "; ".join([*ends[0], *said, *ends[1]])


def what_is_wrong(
    kind: str, replay: Any, verdict: Any, specification: Any, store_state: Any, violation: Any, because: str = FAIR
) -> str:
    """Return the sentence of a counterexample; `because` gives the consequence of an endless wait."""
    run = replay.run
    nodes = {event.life: event.detail.get("node", 0) for event in run.trace.lives()}
    if kind == "deadlock":
        waits = "; ".join(f"node {node + 1} waits to {_wish(event, held)}" for node, event, held in replay.waiting)
        return f"Deadlock: after this schedule nobody can go on: {waits}."
    if kind == "blocked":
        return f"After this schedule {_left_alone(replay, violation, nodes)} {because}"
    if kind == "endless" and violation.loop:
        who = sorted({nodes[life] + 1 for life, _ in replay.steps[-violation.loop :]})
        said = f", of nodes {', '.join(map(str, who[:-1]))} and {who[-1]}," if len(who) > 1 else ""
        alone = ", though each of these nodes would finish alone" * violation.alone_ends * (len(who) > 1)
        steps = f"The last {violation.loop} steps" if violation.loop > 1 else "The last step"
        return f"{steps} of this schedule{said} can be repeated for ever: nothing gets done{alone}. {because}"
    if kind == "raised":
        return f"The handler itself failed: {what_failed(run.error)}"
    if kind == "endless":
        return f"After this schedule one incarnation does not end: {endless(step_limit([run.job]))}"
    if isinstance(specification, Invariant):
        return f"After this schedule {specification.complaint(store_state, kind == 'outcome')}."
    if kind == "outcome" and verdict is not None and verdict.damage.any:
        if len({event.detail.get("node") for event in run.trace.lives()}) == 1 and not _slept(run.trace):
            return verdict.sentence
        return sentence(replace(run, trace=Trace([]), plan=FaultPlan()), verdict.damage, None)
    if isinstance(specification, FaultFree) and kind == "outcome":
        return f"Not as in any run without faults: {'; '.join(specification.complaint(store_state))}."
    view = View(specification.contents, store_state)
    held = [f"the output {describe(view.outputs)}", f"the counter {view.counter}"]
    return f"Not exactly once: no crash-free run of a single node shows {' and '.join(held)}."


def _left_alone(replay: Any, violation: Any, nodes: dict[int, int]) -> str:
    """Describe the end of the incarnation that does not finish when it runs alone."""
    for node, event, holder in replay.waiting:
        if node == violation.actor and not violation.loop:
            return f"node {node + 1}, left alone, never ends: it waits for another, to {_wish(event, holder)}."
    life = replay.steps[-1][0]
    return (
        f"node {nodes[life] + 1}, left alone, goes on for ever and never ends: it waits for another, or loops"
        f"{_round(replay, violation.loop)}."
    )


def _round(replay: Any, loop: int) -> str:
    """Return the steps that an incarnation repeats for ever, if they are few."""
    texts, _ = _texts(replay.run.trace)
    last = list(zip(replay.steps, replay.texts, strict=True))[len(replay.steps) - loop :]
    steps = list(dict.fromkeys(texts.get(key, intended) for key, intended in last))
    return f": {'; '.join(steps)}" if 0 < len(steps) <= 4 else ""


def _slept(trace: Any) -> bool:
    """Tell whether an incarnation started without inheriting from another: the incarnation before it was paused."""
    return any(event.kind == "local" for event in trace.lives()[1:])
