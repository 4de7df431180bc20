"""Exercise 11b: a mutant of the lock-free handler that breaks one promise and keeps all others."""

from ... import show as drawing
from ...claims.checks import Ideal
from ...claims.mutants import following, totals
from ...claims.table import findings
from ...errors import BadInput, what_failed
from ...lockfree.general import PREPARING, follow, general
from ...pipeline import Job
from ...simulate import simulate
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import called
from ..kinds.values import Function, OneOf, Values

CLAIMS = ("exactly-once", "heterogeneous", "lock-free", "race-free", "no downtime", "atomic")
FAULTS = ((), ("crashes",), ("lost_replies",))
SECONDS = 60.0
NOTHING = "follow returned None; return the next stage."


def mutant(theirs):
    """Return the handler with the learner's way to follow a stage."""

    def changed(node, form, stage):
        def as_usual(stage):
            return follow(node, form, stage)

        told = theirs(node, list(stage), as_usual)
        if told is None:
            raise BadInput(NOTHING)
        return told

    return following(changed, "mutant")


def broken_by(theirs):
    """Return {claim: the check's words} of the claims that the mutant breaks, with one input and two nodes."""
    found = findings(mutant(theirs), Ideal.of(general(totals), 1), 2, 1, FAULTS, only=CLAIMS)
    return {name: one.says for name, one in found.items() if not one.holds}


def alone(theirs):
    """Return the run of one node with one input."""
    return simulate(mutant(theirs), None, Job(items=1))


def judged(said):
    """Ask each claim of the mutant: the one that was named must break, and no other."""
    claim, theirs = said["claim"], said["follow"]
    run = called(alone, theirs)
    if NOTHING in (run.error or ""):
        return unsolved("the body of your function")
    if run.error:
        return wrong(f"It fails by itself: {what_failed(run.error)}", traceback=run.error)
    broken = called(broken_by, theirs, seconds=SECONDS)
    if not broken:
        return wrong(
            f"All six promises hold within the bounds (two nodes, one input, a crash or a lost reply), {claim!r} too."
        )
    others = [name for name in broken if name != claim]
    if claim not in broken:
        return wrong(f"It breaks {', '.join(map(repr, others))}, and keeps {claim!r}. {broken[others[0]]}")
    if others:
        return wrong(f"It breaks {claim!r}, and {', '.join(map(repr, others))} as well. {broken[others[0]]}")
    return right(
        f"Only the check of {claim!r} finds it: {broken[claim]} The five others hold, so without this check nobody "
        "would have seen anything."
    )


def drawn(said):
    """Draw one node at work on one input."""
    return drawing.spacetime(called(alone, said["follow"]))


def listing():
    """Draw a stage of each kind."""
    text = "\n".join(
        [
            "['HANDLING', state, positions]",
            f"['{PREPARING}', state, positions, [['output', message]], 0]",
            "['WRITING', state, positions, [['output', message]], 0, index]",
        ]
    )
    return drawing.Picture(f"<pre>{text}</pre>", text=text)


TASK = Values(
    answer="twelfth",
    asks="a promise and a function",
    what="answer",
    fields={"claim": OneOf(CLAIMS), "follow": Function("the node, a stage and as_usual")},
    rule=judged,
    drawn=drawn,
    blank=listing,
)
