"""Telling a schedule: which node went how far, and what befell it; and what came of it, in a sentence."""

from dataclasses import replace

from ..faults import FaultPlan
from ..node.words import describe
from ..trace import Trace
from ..verdict.ideal import endless, step_limit
from ..verdict.sentences import sentence
from .bounds import (
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
from .specification import Invariant, View

ENDS = {
    CRASH: "dies before it",
    STEP_AND_CRASH: "dies right after it",
    PAUSE: "falls asleep before it, and the node's next life begins",
    LOST_REQUEST: "its request is lost",
    LOST_REPLY: "it is done, but its reply is lost",
    DUPLICATE: "its request arrives twice",
    LATE_REQUEST: "its request is late, and the outcome unknown",
    LATE_DUPLICATE: "it is done, and a second copy of its request is still under way",
}


def story(performance, loop=0):
    """Return the lines that tell a schedule: runs of steps of one life, each misfortune, and who waits at its end.

    The last `loop` steps are said to go on for ever.
    """
    nodes = {event.life: event.detail.get("node", 0) for event in performance.run.trace.lives()}
    several = len(set(nodes.values())) > 1
    texts = _texts(performance.run.trace)
    lines, who, done = [], None, []

    def name(life):
        return f"Node {nodes[life] + 1}, life {life}" if several else f"Life {life}"

    def close():
        if done:
            lines.append(f"{name(who)}: {_shortened(done)}.")
            done.clear()

    decisions = zip(performance.schedule, performance.steps, performance.texts, strict=True)
    for number, (decision, (life, step), intended) in enumerate(decisions):
        if loop and number == len(performance.schedule) - loop:
            close()
            lines.append("From here on it goes round:")
        if decision.kind == ARRIVAL:
            close()
            lines.append(f"The late request arrives: {intended}.")
            continue
        if life != who:
            close()
            who = life
        text = texts.get((life, step), intended)
        if decision.kind in (STEP, OPTION):
            done.append(text)
        else:
            close()
            lines.append(f"{name(life)}: {text}: {ENDS[decision.kind]}.")
    close()
    if loop:
        lines.append("Now everything is as it was there, but for version numbers; and so on, for ever.")
    lines += [f"{name(event.life)}: waits to {_wish(event, holder)}." for _, event, holder in performance.waiting]
    return tuple(lines)


def _wish(event, holder):
    """Return what a life waits to do."""
    if event.verb == "receive":
        return event.text.replace("receive", "receive a message")
    return f"{event.text}, which node {holder + 1} holds"


def _texts(trace):
    texts = {}
    for event in trace:
        if event.process == f"life {event.life}" and event.verb not in ("start", "reply", "fault", "dies", "ends"):
            texts.setdefault((event.life, event.step), event.text)
        elif event.verb == "reply" and "sender" in event.detail:
            texts[event.life, event.step] = f"receive {event.text}"
    return texts


def _shortened(done):
    if len(done) <= 6:
        return ", ".join(done)
    return f"{done[0]}, {done[1]}, … ({len(done) - 4} more) …, {done[-2]}, {done[-1]}"


def what_is_wrong(kind, performance, verdict, specification, world, violation):
    """Return the sentence of a counterexample."""
    run = performance.run
    nodes = {event.life: event.detail.get("node", 0) for event in run.trace.lives()}
    if kind == "deadlock":
        waits = "; ".join(f"node {node + 1} waits to {_wish(event, held)}" for node, event, held in performance.waiting)
        return f"Deadlock: after this schedule nobody can go on: {waits}."
    if kind == "waits":
        return f"After this schedule {_left_alone(performance, violation, nodes)}"
    if kind == "endless" and violation.loop:
        who = sorted({nodes[life] + 1 for life, _ in performance.steps[-violation.loop :]})
        said = f", of nodes {', '.join(map(str, who[:-1]))} and {who[-1]}," if len(who) > 1 else ""
        alone = ", though each of these nodes alone would come to its end" if len(who) > 1 else ""
        steps = f"The last {violation.loop} steps of this schedule{said} can be repeated for ever"
        return f"{steps}: nothing gets done{alone}."
    if kind == "raised":
        return f"The handler itself failed: {run.error.strip().splitlines()[-1]}"
    if kind == "endless":
        return f"After this schedule one life does not end: {endless(step_limit([run.job]))}"
    if isinstance(specification, Invariant):
        return f"After this schedule {specification.complaint(world, kind == 'outcome')}."
    if kind == "outcome" and verdict is not None and verdict.damage.any:
        if len({event.detail.get("node") for event in run.trace.lives()}) == 1 and not _slept(run.trace):
            return verdict.sentence
        return sentence(replace(run, trace=Trace([]), plan=FaultPlan()), verdict.damage, None)
    view = View(specification.contents, world)
    held = [f"the output {describe(view.outputs)}", f"the counter {view.counter}"]
    return f"Not exactly once: no crash-free run of a single node shows {' and '.join(held)}."


def _left_alone(performance, violation, nodes):
    """Return what becomes of the life that, left alone, does not come to its end."""
    for node, event, holder in performance.waiting:
        if node == violation.actor and not violation.loop:
            return f"node {node + 1}, left alone, never ends: it waits for another, to {_wish(event, holder)}."
    life = performance.steps[-1][0]
    return (
        f"node {nodes[life] + 1}, left alone, goes on for ever and never ends: it waits for another, or goes round and "
        "round."
    )


def _slept(trace):
    """Tell whether a life began that inherited from none: the one before it was put to sleep."""
    return any(event.kind == "local" for event in trace.lives()[1:])
