"""Exercise 09b: a push that helps: a pusher that finds the hint behind pays for the walk, and no pusher after it."""

from html import escape

from ... import show as drawing
from ...errors import BadInput, OutcomeUnknown, is_whole, what_failed
from ...lockfree.queue import EMPTY, cell, index_in
from ...lockfree.queue import HINT as OF_HINT
from ...node import Program
from ...node.access.handles import part_of
from ...node.world import ENGINE
from ..kinds.proved import World
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import called
from ..kinds.task import Task
from .worlds import CALM, QUEUE, alone, holding, made, refuted, steps_of

HINT = f"{QUEUE}{OF_HINT}"
FULL = 20  # cells that were filled by pushers who died before they moved the hint
QUICK = 8  # steps of a push that need not walk: the hint, a cell, the hint, and some to spare
PUSHED, FAILED = "pushed ", "given up "  # beginnings of registers: what a push came to


class Attentive:
    """Registers that know which of them was asked last, and by how far the hint was moved back through them."""

    def __init__(self, registers):
        self.registers, self.last = registers, None
        self.hints, self.back = {EMPTY: 0}, None  # the hint by its version; (before, after) a move back

    def read(self, name):
        """Return (version, value)."""
        self.last = ["read", name]
        version, value = self.registers.read(name)
        if name == HINT:
            self.hints[version] = value or 0
        return version, value

    def cas(self, name, expected_version, value):
        """Write `value` if the version is the expected one, and return whether it was."""
        self.last = ["cas", name]
        before = self.hints.get(expected_version, 0) if name == HINT else 0
        written = self.registers.cas(name, expected_version, value)
        if written and name == HINT and isinstance(value, int):
            self.hints[expected_version + 1] = value
            if value < before:
                self.back = [before, value]
        return written


def pusher(push, values, number=0):
    """Return a handler whose first incarnation pushes values one after the other, and writes down the result of
    each push: the index and the backward move of the hint, or the missing answer.
    """

    def pushes(node):
        if not node.registers.cas(f"begun {number}", EMPTY, True):
            return
        for value in values:
            registers = Attentive(node.registers)
            try:
                index = push(registers, QUEUE, value)
            except OutcomeUnknown:
                node.registers.cas(f"{FAILED}{value}", EMPTY, registers.last)
                return
            if not is_whole(index):
                raise BadInput(f"the push of {value!r} returned {index!r}; return the index of the cell, a number.")
            node.registers.cas(f"{PUSHED}{value}", EMPTY, [index, registers.back])

    return pushes


def old(full):
    """Return the source of a queue with a number of full cells, and no hint."""
    return holding((cell(QUEUE, index), f"old {index}") for index in range(full))


def each_once(view):
    """Each value whose push returned is in its cell, no value is there twice, and no cell is left out. The hint is an
    index, is never moved back, and never past an empty cell. A push that filled its cell returns, even if the answer
    to the move of the hint was lost.
    """
    return objection(view) or True


def objection(view):
    """Return a sentence on a mistake in the registers after pushes, or None."""
    held = view.registers
    cells = {index_in(QUEUE, name): held[name] for name in held if index_in(QUEUE, name) is not None}
    hint = held.get(HINT, 0)
    if not is_whole(hint):
        return f"the hint was written with {hint!r}, which is no index"
    if not set(range(hint)) <= set(cells):
        return f"the hint was moved to {hint} past an empty cell. If no pusher fills it, readers stop there for ever"
    for index, value in cells.items():
        if list(cells.values()).count(value) > 1:
            return f"{value!r} is in the queue {list(cells.values()).count(value)} times, and was pushed once"
        if view.version(ENGINE, part_of(cell(QUEUE, index))) > 1:
            return f"the cell {index} was written twice, so its first value is lost"
    for name, said in held.items():
        if name.startswith(PUSHED):
            value, (index, back) = name.removeprefix(PUSHED), said
            if cells.get(index) != value:
                return f"the push of {value!r} returned {index!r}, and that cell does not hold it"
            if back:
                before, after = back
                return f"the hint goes back, from {before} to {after}, so pushers try full cells again"
        elif name.startswith(FAILED) and name.removeprefix(FAILED) in cells.values() and said == ["cas", HINT]:
            return (
                "a push raised OutcomeUnknown although its value is in its cell; only the answer to the move of the "
                "hint was lost. Its caller will push again, and then the value is there twice"
            )
    if sorted(cells) != list(range(len(cells))):
        return "a cell was left out, so a reader stops there and never sees the cells behind it"
    return None


ONES = (("tea",), ("milk",))
WORLDS = (  # what each pusher pushes, how many cells are full, the faults
    (ONES, 0, CALM),
    ((("tea", "salt"), ("milk",)), 2, CALM),
    (ONES, 2, {"crashes": 1}),
    (ONES, 2, {"crashes": 0, "lost_replies": 1}),
    (ONES, 2, {"crashes": 0, "lost_requests": 1}),
)


def worlds(push):
    """Yield each of `WORLDS`."""
    for pushed, full, faults in WORLDS:
        source = old(full)
        pushers = [Program(pusher(push, values, number), source) for number, values in enumerate(pushed)]
        yield World("", made(pushers), each_once, faults)


def walks(push):
    """Return (the run of three pushes, alone, behind a hint that lags, the number of steps of each)."""
    program = Program(pusher(push, ("tea", "milk", "salt")), old(FULL))
    run = alone(program, f"Alone, behind a hint that lags by {FULL} cells, your function does not finish.")
    counts, last = [], 1  # the first step is none of a push
    for place, step in enumerate(steps_of(run)):
        if step.startswith(f"cas {PUSHED}"):
            counts.append(place - last)
            last = place + 1
    return run, counts


def check(push):
    """Count the steps behind a hint that lags; then prove two pushers, with a death and with a lost answer."""
    if push is ...:
        return unsolved("your function")
    if not callable(push):
        raise BadInput(f"The answer is {push!r}; it is a function, push(registers, name, value).")
    run, steps = called(walks, push)
    if len(steps_of(run)) <= 1 and "returned None" in (run.error or ""):
        return unsolved("the body of your function")
    if run.error:
        return wrong(f"Your function fails: {what_failed(run.error)}", traceback=run.error)
    slow = next((count for count in steps[1:] if count > QUICK), None)
    if slow is not None:
        return wrong(
            f"The hint was {FULL} cells behind. The first push took {steps[0]} steps; the one after it should take "
            f"{QUICK} at most, and takes {slow}: it tries the same full cells again.",
            picture=drawing.spacetime(run),
        )
    reply, states = refuted(push, worlds)
    return reply or right(
        f"Behind a hint that lags by {FULL} cells your pushes take {steps[0]}, {steps[1]} and {steps[2]} steps: "
        f"only the first one walks. In every schedule of two pushers, with a crash or a lost answer at any step, "
        f"each value whose push returned is there once, and the hint is never moved back, nor past an empty cell "
        f"({states:,} states).",
        picture=drawing.spacetime(run),
    )


def show(push):
    """Draw three pushes behind a hint that lags; without a function, the queue that they find."""
    if push is ...:
        said = f"{FULL} cells are full, and there is no hint yet: their pushers died between cell and hint."
        return drawing.Picture(f"<p>{escape(said)}</p>", text=said)
    return drawing.spacetime(called(walks, push)[0])


TASK = Task(
    answer="push",
    show=show,
    check=check,
)
