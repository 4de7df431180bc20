"""Telling a schedule: which node went how far, and what befell it; and what came of it, in a sentence."""

from ..node.words import describe
from ..stores.codec import decode
from .bounds import CRASH, DUPLICATE, LOST_REPLY, LOST_REQUEST, OPTION, PAUSE, STEP, STEP_AND_CRASH
from .specification import View

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

    for decision, (life, step) in zip(performance.schedule, performance.steps, strict=True):
        if life != who:
            close()
            who = life
        text = texts.get((life, step), "a step")
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
    if kind == "waits":
        return (
            "From here one life, left alone, goes on for ever and never ends: it waits for another, "
            "or goes round and round."
        )
    if hasattr(specification, "complaint"):
        return f"After this schedule {specification.complaint(world, kind == 'outcome')}."
    when = "" if kind == "outcome" else " The run is not over, but no continuation could mend this."
    if verdict is not None and verdict.damage.any and kind == "outcome":
        return verdict.sentence
    view = View.of(contents, world)
    held = [f"the output {describe(view.outputs)}", f"the counter {view.counter}"]
    held += [f"register {name} {describe(value)}" for name, value in view.registers.items() if "hint" not in name]
    return f"Not exactly once: no crash-free run of a single node leaves {', '.join(held)}.{when}"


def decoded(text):
    """Return a stored text as a value."""
    return decode(text)
