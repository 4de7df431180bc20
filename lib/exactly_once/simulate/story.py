"""Telling a schedule: which node went how far, and what befell it; and what came of it, in a sentence."""

from dataclasses import replace

from ..faults import FaultPlan
from ..node.words import describe
from ..trace import Trace
from ..verdict.ideal import endless, step_limit
from ..verdict.sentences import sentence
from .bounds import CRASH, DUPLICATE, LOST_REPLY, LOST_REQUEST, OPTION, PAUSE, STEP, STEP_AND_CRASH
from .specification import Invariant, View

ENDS = {
    CRASH: "dies before it",
    STEP_AND_CRASH: "dies right after it",
    PAUSE: "falls asleep before it, and the node's next life begins",
    LOST_REQUEST: "its request is lost",
    LOST_REPLY: "it is done, but its reply is lost",
    DUPLICATE: "its request arrives twice",
}


def story(performance):
    """Return the lines that tell a schedule: runs of steps of one life, and each misfortune."""
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
    for decision, (life, step), intended in decisions:
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
    return tuple(lines)


def _texts(trace):
    texts = {}
    for event in trace:
        if event.process == f"life {event.life}" and event.verb not in ("start", "reply", "fault", "dies", "ends"):
            texts.setdefault((event.life, event.step), event.text)
    return texts


def _shortened(done):
    if len(done) <= 6:
        return ", ".join(done)
    return f"{done[0]}, {done[1]}, … ({len(done) - 4} more) …, {done[-2]}, {done[-1]}"


def what_is_wrong(kind, run, verdict, contents, world, specification):
    """Return the sentence of a counterexample."""
    if kind == "raised":
        return f"The handler itself failed: {run.error.strip().splitlines()[-1]}"
    if kind == "endless":
        return f"After this schedule one life does not end: {endless(step_limit(run.job))}"
    if kind == "waits":
        return (
            "After this schedule one life, left alone, goes on for ever and never ends: it waits for another, "
            "or goes round and round."
        )
    if isinstance(specification, Invariant):
        return f"After this schedule {specification.complaint(world, kind == 'outcome')}."
    if kind == "outcome" and verdict is not None and verdict.damage.any:
        if len({event.detail.get("node") for event in run.trace.lives()}) == 1 and not _slept(run.trace):
            return verdict.sentence
        return sentence(replace(run, trace=Trace([]), plan=FaultPlan()), verdict.damage, None)
    view = View(contents, world)
    held = [f"the output {describe(view.outputs)}", f"the counter {view.counter}"]
    return f"Not exactly once: no crash-free run of a single node shows {' and '.join(held)}."


def _slept(trace):
    """Tell whether a life began that inherited from none: the one before it was put to sleep."""
    return any(event.kind == "local" for event in trace.lives()[1:])
