"""Exercise 09a: the hint of a queue, moved by many, that never goes back."""

import functools
import inspect

from ... import show as drawing
from ...errors import BadInput, is_whole, what_failed
from ...node import Program
from ..kinds.proved import World
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import called
from ..kinds.task import Task
from .worlds import alone, holding, made, refuted, steps_of

HINT = "queue.hint"
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
    """Once `move` has returned for an index, the hint is never below it; and a node has named it."""
    held = view.registers
    hint = held.get(HINT, 0)
    if not is_whole(hint):
        return f"the hint holds {hint!r}, which is no index"
    below = [index for name, index in held.items() if name.startswith("moved.") and index > hint]
    return not below or f"the hint is {hint} although a node has moved it to {max(below)}"


def sensible(view, indices):
    """The rule of the exercise, with the indices that there are in this world."""
    said, hint = at_least(view), view.registers.get(HINT, 0)
    if said is not True:
        return said
    return hint == 0 or hint in indices or f"the hint is {hint}, to which no node has moved it"


def calm(move):
    """Return the run of a node that moves the hint to 2, alone."""
    return alone(Program(mover(move, (2,)), holding([])))


def worlds(move):
    """Yield each of `WORLDS`."""
    for moved, faults, when in WORLDS:
        programs = [Program(mover(move, indices), holding([])) for indices in moved]
        rule = functools.partial(sensible, indices=[index for indices in moved for index in indices])
        yield World(when, made(programs), rule, faults)


def check(move):
    """Prove the function alone, with others, with a crash and with a lost reply."""
    if move is ...:
        return unsolved("your function")
    if not callable(move):
        raise BadInput(f"The answer is {move!r}; it is a function, move(registers, name, index).")
    run = called(calm, move)
    if run.error:
        return wrong(f"It fails by itself: {what_failed(run.error)}", traceback=run.error)
    if len(steps_of(run)) < 2:
        return unsolved("the body of your function")
    reply, states = refuted(move, worlds)
    return reply or right(
        "The hint never goes back, and when `move` has returned the hint is where it should be. No node waits: a "
        f"refused write means that another node has moved it. Proved for {len(WORLDS)} groups of nodes, with a crash "
        f"and with a lost reply ({states:,} states)."
    )


def show(move):
    """Draw a node that moves the hint to 2; without a function, the rule."""
    if move is ...:
        return drawing.Picture(drawing.code_html(at_least, remark=False), text=inspect.getsource(at_least))
    return drawing.spacetime(called(calm, move))


TASK = Task(
    answer="move",
    tier="warm-up",
    show=show,
    check=check,
)
