"""A sink of the learner's own, put through everything that may strike it, from the easiest to the hardest."""

from ....errors import what_failed
from ....simulate import simulate
from ..reply import unsolved, wrong
from ..run_answer import called, proved

FAULTS = (
    ("Even when nothing goes wrong", {}),
    ("One crash", {"crashes": 1}),
    ("One lost request", {"lost_requests": 1}),
    ("One lost reply", {"lost_replies": 1}),
    ("One request that arrives twice", {"duplicates": 1}),
    ("One late request", {"late_requests": 1}),
    ("One pause", {"pauses": 1}),
    ("Two pauses", {"pauses": 2}),
    ("A crash and a lost reply", {"crashes": 1, "lost_replies": 1}),
)
TWINS = (
    ("Two nodes at once", {"nodes": 2}),
    ("Two nodes at once, and a crash", {"nodes": 2, "crashes": 1}),
    ("Two nodes at once, and a late request", {"nodes": 2, "late_requests": 1}),
)


def withstands(program, rule, faults=FAULTS):
    """Return (how many states were looked at, None), or (0, the `Reply` that says which faults break a sink)."""
    calm = called(_calm, program.handler, program.handled_by(None))
    if calm.error:
        return 0, wrong(f"The sink itself failed: {what_failed(calm.error)}", traceback=calm.error)
    if not any(event.kind == "send" for event in calm.trace):
        return 0, unsolved("the body of your sink")
    states = 0
    for said, bounds in faults:
        proof = proved(program, rule, None, **{"crashes": 0, **bounds})
        if (found := proof.counterexample) is not None:
            sentence = found.sentence[:1].lower() + found.sentence[1:]
            shown = [program] * bounds["nodes"] if "nodes" in bounds else program
            return 0, wrong(f"{said}: {sentence}", found, shown)
        if not proof.exhausted:
            return 0, wrong(f"{said}: not proved: {proof.stopped}. Write it with fewer steps.")
        states += proof.states
    return states, None


def _calm(handler, program):
    return simulate(program.handled_by(handler))
