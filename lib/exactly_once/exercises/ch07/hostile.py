"""A learner's sink under every list of faults, from the easiest to the hardest."""

from ...errors import what_failed
from ...faults import FaultPlan
from ...simulate import simulate
from ..kinds import challenge
from ..kinds.proved import World, proved_in, sends_nothing
from ..kinds.reply import unsolved, wrong
from ..kinds.run_answer import called

FAULTS = challenge.FAULTS | {
    "One pause": {"pauses": 1},
    "Two pauses": {"pauses": 2},
    "A crash and a lost reply": {"crashes": 1, "lost_replies": 1},
}
TWINS = {
    "Two nodes at once": {"nodes": 2},
    "Two nodes at once, and a crash": {"nodes": 2, "crashes": 1},
    "Two nodes at once, and a late request": {"nodes": 2, "late_requests": 1},
}


def struck(program, rule, faults):
    """Return the worlds in which `program(sink)` is proved, one for each list of faults."""
    return tuple(World(when, program, rule, bounds) for when, bounds in faults.items())


def withstands(sink, program, rule):
    """Prove a sink under each of `FAULTS`; return (the `Reply` to a sink that fails, or None; the states)."""
    calm = called(simulate, program(sink), FaultPlan())
    if calm.error:
        return wrong(f"The sink itself failed: {what_failed(calm.error)}", traceback=calm.error), 0
    if sends_nothing(calm):
        return unsolved("the body of your sink"), 0
    return proved_in(struck(program, rule, FAULTS), sink)
