"""Exercise 09d: a reader that retention overtakes, and that skips no remaining record."""

from dataclasses import dataclass
from html import escape

from ... import show as drawing
from ...errors import BadInput, what_failed
from ...lockfree.queue import EMPTY, FIRST, Queue, cell, emptied, index_in, is_emptied
from ...node import Program
from ...simulate.replay import in_turns
from ..kinds.proved import World
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import called
from ..kinds.task import Task
from .worlds import QUEUE, alone, holding, made, refuted, steps_of

SIGN, READ = f"{QUEUE}{FIRST}", "read"  # registers: where the cells begin that are left; what the reader returned
VALUES = ("tea", "milk", "salt", "rice", "plum", "egg")
MANY = 12  # cells that retention empties
SPARE = 8  # steps for two records, and for finding the way to them
SWEEP = 2 * MANY + 3  # steps of retention that empties as many


def reader(read_from, index):
    """Return the handler that reads from an index on, and writes the result down."""

    def reads(node):
        said = read_from(node.registers, QUEUE, index)
        if not _is_answer(said):
            raise BadInput(
                f"It returns {said!r}; return the records and the index to go on from, such as ([(0, 'tea')], 1)."
            )
        node.registers.cas(READ, EMPTY, [list(map(list, said[0])), said[1]])

    return reads


def _is_answer(said):
    return (
        isinstance(said, (list, tuple))
        and len(said) == 2
        and isinstance(said[0], (list, tuple))
        and all(isinstance(one, (list, tuple)) and len(one) == 2 and isinstance(one[0], int) for one in said[0])
        and isinstance(said[1], int)
    )


def retention(count):
    """Return the handler that empties the cells before the index `count`, as the library's queue does."""

    def sweeps(node):
        Queue(node.registers, QUEUE).sweep(values(count).__contains__)

    return sweeps


def pusher(index, value):
    """Return the handler that pushes one record; where, it knows already."""

    def pushes(node):
        Queue(node.registers, QUEUE).push_at(value, index)

    return pushes


def values(full):
    """Return the values of a queue with a number of cells."""
    return [f"{VALUES[at % len(VALUES)]}{at // len(VALUES) or ''}" for at in range(full)]


def queue(full, swept=0, first=0):
    """Return the source of a queue of so many cells, the first of which are emptied, with the sign for readers."""
    held = [(cell(QUEUE, at), value) for at, value in enumerate(values(full))]
    held += [(cell(QUEUE, at), emptied(value)) for at, value in enumerate(values(swept))]
    return holding(held + ([(SIGN, first)] if first else []))


WORLDS = (  # (cells, emptied, sign) of the queue, where the reader begins, before which index cells are dropped
    ((2,), 0, 0),
    ((3,), 1, 0),
    ((3, 1, 1), 0, 0),
    ((3, 2, 1), 0, 0),
    ((3, 3, 3), 0, 0),
    ((3,), 0, 1),
    ((3,), 0, 2),
    ((4, 1, 1), 0, 3),
    ((2,), 5, 1),
)


@dataclass(frozen=True)
class ReadsWhatStands:
    """The rule for a reader that is asked for records from `index` on, of a queue of `full` cells and one more.

    It is asked at every moment after the reader returned: what stands in its cell then stood there while it read.
    """

    full: int
    index: int

    def __call__(self, view):
        said = view.registers.get(READ)
        return said is None or self.objection(view.registers, *said) or True

    def objection(self, registers, records, following):
        """Return a sentence on a mistake in the reader's result, or None."""
        indices = [at for at, _ in records]
        if stray := [at for at in indices if at < self.index]:
            return f"it returns the record at {stray[0]}; it was asked for those from {self.index} on"
        for place, (at, value) in enumerate(records):
            if is_emptied(value):
                return f"it returns the emptied cell {at}: that is no record, but the place where one was"
            if registers.get(cell(QUEUE, at)) not in (value, emptied(value)):
                return f"it returns {value!r} at {at}, which was not in that cell while it read"
            if place and at <= indices[place - 1]:
                return f"it returns {indices[place - 1]} and then {at}: the order of the queue is that of the indices"
        for name, value in sorted(registers.items()):
            at = index_in(QUEUE, name)
            if at is None or is_emptied(value) or at < self.index or at in indices:
                continue
            if at < self.full or at < following:
                return (
                    f"it leaves out {value!r} at {at}, which was not dropped while it read, and goes on from "
                    f"{following}: this record is lost for its reader"
                )
        if indices and following <= indices[-1]:
            return (
                f"it returns the record at {indices[-1]}, and would go on from {following}: that record comes twice"
            )
        if following < self.index:
            return (
                f"it was asked for the records from {self.index} on, and would go on from {following}: it goes back"
            )
        return None


def worlds(read_from):
    """Yield each of `WORLDS`: a reader, retention and a pusher."""
    for cells, index, dropped in WORLDS:
        full, source = cells[0], queue(*cells)
        handlers = reader(read_from, index), retention(dropped), pusher(full, "fish")
        yield World("", made([Program(one, source) for one in handlers]), ReadsWhatStands(full, index))


def calm(read_from, *cells):
    """Return the run of one reader from the index 0 on; `cells` are as in `queue`."""
    return alone(Program(reader(read_from, 0), queue(*cells)))


def overtaken(read_from):
    """Return the run of a reader that takes one step, then retention drops `MANY` records, and the reader goes on."""
    source = queue(MANY + 2)
    programs, turns = [Program(reader(read_from, 0), source), Program(retention(MANY), source)], [1, *[2] * SWEEP]
    run = in_turns(programs, turns)
    while True:
        turns.append(1)
        try:
            run = in_turns(programs, turns)
        except BadInput:  # it has finished
            return run


def measured(read_from):
    """Return (run, steps of the reader) where many records were dropped before it began, and where while it reads."""
    runs = calm(read_from, MANY + 2, MANY, MANY), overtaken(read_from)
    return [(run, len(steps_of(run)) - 1 - at * SWEEP) for at, run in enumerate(runs)]


def check(read_from):
    """Prove a reader beside retention and a pusher; then count the steps behind many emptied cells."""
    if read_from is ...:
        return unsolved("your function")
    if not callable(read_from):
        raise BadInput(f"The answer is {read_from!r}; it is a function, read_from(registers, name, index).")
    run = called(calm, read_from, 1)
    if not steps_of(run) and "It returns None" in (run.error or ""):
        return unsolved("the body of your function")
    if run.error:
        return wrong(f"It fails by itself: {what_failed(run.error)}", traceback=run.error)
    reply, states = refuted(read_from, worlds)
    if reply is not None:
        return reply
    counted = called(measured, read_from)
    for (run, steps), when in zip(
        counted, ("were dropped before your reader began", "are dropped while it reads"), strict=True
    ):
        if steps > SPARE:
            return wrong(
                f"Of {MANY + 2} records {MANY} {when}, and the register {SIGN!r} says so. The two that are left take "
                f"it {steps} steps; {SPARE} are enough for one that does not visit the emptied cells one by one.",
                picture=drawing.spacetime(run),
            )
    (_, before), (run, meanwhile) = counted
    return right(
        f"Whatever retention and a pusher do meanwhile, it returned records alone, in order, each once, and left out "
        f"none that was still there ({len(WORLDS)} worlds, {states:,} states). Where {MANY} records were dropped "
        f"before it began it takes {before} steps for the two that are left, and where they are dropped while it "
        f"reads {meanwhile}.",
        picture=drawing.spacetime(run),
    )


def show(read_from):
    """Draw a reader of three records, the oldest of which is gone; without one, what it finds."""
    if read_from is ...:
        said = (
            f"{cell(QUEUE, 0)} was emptied: version 2. {cell(QUEUE, 1)} and {cell(QUEUE, 2)} hold records: "
            f"version 1. {cell(QUEUE, 3)} was never written to: version 0. {SIGN} holds 1."
        )
        return drawing.Picture(f"<p>{escape(said)}</p>", text=said)
    return drawing.spacetime(called(calm, read_from, 3, 1, 1))


TASK = Task(
    answer="read_from",
    show=show,
    check=check,
)
