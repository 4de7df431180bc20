"""Exercise 09a: the hint of a queue, moved by many, that never goes back."""

import functools
import inspect

from .... import show as drawing
from ....errors import BadInput
from ....pipeline import Job
from ..reply import right, unsolved, wrong
from ..run_answer import called, proved
from ..task import Task
from .schedules import Found, Run, drawn, problem

HINT = "queue.hint"
JOB = Job(items=1)
WORLDS = (  # the indices that each node moves the hint to, the faults, and when that is, in words
    (((2, 4),), {"crashes": 0}, "Alone"),
    (((3,), (1,)), {"crashes": 0}, "With two nodes, one of which is behind"),
    (((1, 4), (2, 3)), {"crashes": 0}, "With two nodes that move it twice"),
    (((1,), (3,), (2,)), {"crashes": 0}, "With three nodes"),
    (((2, 3), (4,)), {"crashes": 1}, "With one crash"),
    (((2,), (4,)), {"crashes": 0, "lost_replies": 1}, "With one lost reply"),
)


def mover(move, indices):
    """Return the program of a node that moves the hint to each of `indices`, and puts down that it was done."""

    def moves(node):
        for index in indices:
            move(node.registers, HINT, index)
            node.registers.cas(f"moved.{index}", 0, index)

    return moves


def at_least(view):
    """Once `move` has come back for an index, the hint is never below it; and it is no index that nobody named."""
    held = view.registers
    hint = held.get(HINT, 0)
    if not isinstance(hint, int) or isinstance(hint, bool):
        return f"the hint holds {hint!r}, which is no index"
    below = [index for name, index in held.items() if name.startswith("moved.") and index > hint]
    return not below or f"the hint is {hint} although a node has moved it to {max(below)}"


def sensible(view, indices):
    """The rule of the exercise, with the indices that there are in this world."""
    said, hint = at_least(view), view.registers.get(HINT, 0)
    if said is not True:
        return said
    return hint == 0 or hint in indices or f"the hint is {hint}, to which nobody has moved it"


def alone(move):
    """Return the `Found` of a node that moves the hint to 2, when nobody else is there."""
    run = Run((lambda registers: move(registers, HINT, 2),)).go()
    sentence = problem(run, ("your function",)) or ""
    return Found(sentence, 1, ("your function",), tuple(run.lines), run.cells, run.traceback)


def check(move):
    """Prove the function alone, with others, with a crash and with a lost reply."""
    if move is ...:
        return unsolved("your function")
    if not callable(move):
        raise BadInput(f"The answer is {move!r}; it is a function, move(registers, name, index).")
    found = called(alone, move)
    if found.sentence:
        return wrong(found.sentence, picture=drawn(found, "Alone"), traceback=found.traceback)
    if len(found.lines) < 2:
        return unsolved("the body of your function")
    states = 0
    for world, faults, when in WORLDS:
        programs = [mover(move, indices) for indices in world]
        rule = functools.partial(sensible, indices=[index for indices in world for index in indices])
        proof = proved(programs, rule, JOB, nodes=len(programs), lock_free=True, **faults)
        if (found := proof.counterexample or proof.liveness_violation) is not None:
            return wrong(f"{when}: {found.sentence}", found, programs)
        if not proof.exhausted:
            return wrong(f"Not proved: {proof.stopped}. Write it with fewer steps.")
        states += proof.states
    return right(
        "The hint never goes back, and whoever comes back from `move` finds it where it should be. Nobody waits: a "
        f"refused write means that another node has moved it. Proved for {len(WORLDS)} groups of nodes, with a crash "
        f"and with a lost reply ({states:,} states)."
    )


def show(move):
    """Draw a node that moves the hint to 2; without a function, the rule."""
    if move is ...:
        return drawing.Picture(drawing.code_html(at_least, remark=False), text=inspect.getsource(at_least))
    return drawn(called(alone, move), "A node that moves the hint to 2, alone")


TASK = Task(
    title="move the hint, and never back",
    answer="move",
    tier="warm-up",
    show=show,
    check=check,
    hints=(
        "Two nodes read the hint, both see 0. One wants it at 3 and the other at 1. Who must look again, and when?",
        "A refused compare-and-swap means that somebody has moved the hint since you read it. It does not mean that "
        "it stands where you want it.",
        "Go round: read version and hint; if the hint is at your index or beyond, you are done; else write with the "
        "version that you read, and go round again. A node that gets no answer can go round as well.",
        "while True: version, hint = registers.read(name); if (hint or 0) >= index: return; then "
        "registers.cas(name, version, index), with OutcomeUnknown caught: the next look tells.",
    ),
)
