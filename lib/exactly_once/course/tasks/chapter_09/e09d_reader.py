"""Exercise 09d: a reader that retention overtakes, and that leaves out nothing that is still there."""

from html import escape

from .... import show as drawing
from ....errors import BadInput
from ....lockfree.queue import FIRST, Queue, cell, emptied, is_emptied
from ..reply import right, unsolved, wrong
from ..run_answer import called
from ..task import Task
from .schedules import SWITCH, Event, Found, Run, drawn, problem, searched

QUEUE = "queue"
SIGN = f"{QUEUE}{FIRST}"
READER, RETENTION = 0, 1
NAMES = ("the reader", "retention", "a pusher")
VALUES = ("tea", "milk", "salt", "rice", "plum", "egg")
MANY = 12  # cells that retention empties
SPARE = 8  # steps for two records, and for finding the way to them
SECONDS = 60.0


def reader(read_from, index):
    """Return the process that reads from an index on."""
    return lambda registers: read_from(registers, QUEUE, index)


def retention(count):
    """Return the process that empties the cells before the index `count`, as the library's queue does."""

    def sweeps(registers):
        old = [value for _, value in _records(registers.run.cells)][:count]
        return Queue(registers, QUEUE).sweep(lambda value: value in old)

    return sweeps


def pusher(index, value):
    """Return the process that pushes one record; where, it knows already."""
    return lambda registers: Queue(registers, QUEUE).push_at(value, index)


def queue(full, swept=0, first=0):
    """Return the registers of a queue of so many cells, the first of which are emptied, and the sign for readers."""
    values = [f"{VALUES[at % len(VALUES)]}{at // len(VALUES) or ''}" for at in range(full)]
    cells = {cell(QUEUE, at): (1, value) for at, value in enumerate(values)}
    cells |= {cell(QUEUE, at): (2, emptied(values[at])) for at in range(swept)}
    return cells | ({SIGN: (1, first)} if first else {})


WORLDS = (  # what there is, where the reader begins, how many of the records left are dropped meanwhile
    (queue(2), 0, 0),
    (queue(3), 1, 0),
    (queue(3, 1, 1), 0, 0),
    (queue(3, 2, 1), 0, 0),
    (queue(3, 3, 3), 0, 0),
    (queue(3), 0, 1),
    (queue(3), 0, 2),
    (queue(4, 1, 1), 0, 2),
    (queue(2), 5, 1),
)


def judged(run, begun, index):
    """Return what is wrong with what the reader returned, or None. `begun` is the queue as it was."""
    if READER not in run.returned:
        return None
    said = run.returned[READER]
    if not _is_answer(said):
        return f"It returns {said!r}; return the records and the index to go on from, such as ([(0, 'tea')], 1)."
    records, following = said
    start = next((number for number, line in enumerate(run.lines) if line.process == READER), 0)
    end = next(number for number, line in enumerate(run.lines) if (line.process, line.words) == (READER, "ends"))
    stood, gone, come = dict(_records(begun)), {}, {}
    for at, _, name, value in run.writes:
        place = name.rpartition(".")[2]
        if is_emptied(value):
            gone[int(place)] = at
        elif name != SIGN:
            stood[int(place)], come[int(place)] = value, at
    indices = [at for at, _ in records]
    for place, (at, value) in enumerate(records):
        if at < index:
            return f"It returns the record at {at}; it was asked for those from {index} on."
        if is_emptied(value):
            return f"It returns the emptied cell {at}: that is no record, but the place where one was."
        if stood.get(at) != value or come.get(at, -1) > end or gone.get(at, end) < start:
            return f"It returns {value!r} at {at}, which was not in that cell while it read."
        if place and at <= indices[place - 1]:
            return f"It returns {indices[place - 1]} and then {at}: the order of the queue is that of the indices."
    for at, value in sorted(stood.items()):
        passed = at < following or come.get(at, -1) < start
        if at >= index and at not in indices and gone.get(at, end) >= end and come.get(at, -1) < end and passed:
            return (
                f"It leaves out {value!r} at {at}, which was not dropped while it read, and goes on from "
                f"{following}: this record is lost for its reader."
            )
    if indices and following <= indices[-1]:
        return f"It returns the record at {indices[-1]}, and would go on from {following}: that record comes twice."
    if following < index:
        return f"It was asked for the records from {index} on, and would go on from {following}: it goes back."
    return None


def _is_answer(said):
    return (
        isinstance(said, (list, tuple))
        and len(said) == 2
        and isinstance(said[0], (list, tuple))
        and all(isinstance(one, (list, tuple)) and len(one) == 2 and isinstance(one[0], int) for one in said[0])
        and isinstance(said[1], int)
    )


def _records(registers):
    for name, (_, value) in registers.items():
        if name != SIGN and not is_emptied(value):
            yield int(name.rpartition(".")[2]), value


def explored(read_from):
    """Return the `Found` of all worlds, each under every schedule with up to three switches."""
    runs = 0
    for cells, index, dropped in WORLDS:
        full = sum(name != SIGN for name in cells)
        programs = (reader(read_from, index), retention(dropped), pusher(full, "fish"))
        found = searched(
            lambda programs=programs, cells=cells: (NAMES, programs, cells),
            lambda run, cells=cells, index=index: judged(run, cells, index),
            switches=3,
        )
        runs += found.runs
        if found.sentence:
            return found._replace(runs=runs)
    return Found("", runs)


def measured(read_from):
    """Return (`Found`, steps) of a reader where many records are dropped: before it begins, and while it reads."""
    long_ago = Run((reader(read_from, 0),), (), queue(MANY + 2, MANY, MANY)).go()
    events = Event(1, SWITCH, RETENTION), Event(2 * MANY + 5, SWITCH, READER)
    meanwhile = Run((reader(read_from, 0), retention(MANY)), events, queue(MANY + 2)).go()
    for run, when in (long_ago, "were dropped before your reader began"), (meanwhile, "are dropped while it reads"):
        sentence = problem(run, ("your function", "retention"))
        if not sentence and (steps := run.taken[READER]) > SPARE:
            sentence = (
                f"Of {MANY + 2} records {MANY} {when}, and the register {SIGN!r} says so. The two that are left take "
                f"it {steps} steps; {SPARE} are enough for one that does not visit the emptied cells one by one."
            )
        if sentence:
            break
    return _found(sentence or "", run), (long_ago.taken[READER], meanwhile.taken[READER])


def calm(read_from):
    """Return the `Found` of one reader at three records, the oldest of which is gone."""
    run = Run((reader(read_from, 0),), (), queue(3, 1, 1)).go()
    return _found(problem(run, ("your function",)) or "", run)


def _found(sentence, run):
    return Found(sentence, 1, NAMES[: len(run.programs)], tuple(run.lines), run.cells, run.traceback)


def check(read_from):
    """Try every schedule of a reader, retention and a pusher; then count the steps behind many emptied cells."""
    if read_from is ...:
        return unsolved("your function")
    if not callable(read_from):
        raise BadInput(f"The answer is {read_from!r}; it is a function, read_from(registers, name, index).")
    if called(idle, read_from):
        return unsolved("the body of your function")
    found = called(explored, read_from, seconds=SECONDS)
    runs = found.runs
    if not found.sentence:
        found, steps = called(measured, read_from)
    if found.sentence:
        return wrong(found.sentence, picture=drawn(found), traceback=found.traceback)
    return right(
        f"In {runs:,} runs of a reader, retention and a pusher it returned records alone, in order, each once, and "
        f"left out none that was still there. Where {MANY} records were dropped before it began it takes "
        f"{steps[0]} steps for the two that are left, and where they are dropped while it reads {steps[1]}.",
        picture=drawn(found, "Overtaken by retention"),
    )


def idle(read_from):
    """Tell whether the function does nothing at all."""
    run = Run((reader(read_from, 0),), (), queue(1)).go()
    return run.taken[READER] == 0 and run.returned.get(READER, 0) is None


def show(read_from):
    """Draw a reader of three records, the oldest of which is gone; without one, what it finds."""
    if read_from is ...:
        said = (
            f"{cell(QUEUE, 0)} was emptied: version 2. {cell(QUEUE, 1)} and {cell(QUEUE, 2)} hold records: "
            f"version 1. {cell(QUEUE, 3)} was never written to: version 0. {SIGN} holds 1."
        )
        return drawing.Picture(f"<p>{escape(said)}</p>", text=said)
    return drawn(called(calm, read_from), "Three records, of which the oldest is gone")


TASK = Task(
    title="read while retention sweeps",
    answer="read_from",
    show=show,
    check=check,
    hints=(
        "There are three kinds of cells: one that nobody has written to, one with a record, and one that was "
        "emptied. Which one is the end? And of which of the three does the index matter that you return?",
        "The register 'queue.first' says where the cells begin that are left. It was true when you read it; "
        "retention goes on while you read. Which cell tells you that you have been overtaken?",
        "Take version and value of a cell from one and the same read: a second read of it may find another state. "
        "When you meet an emptied cell, ask again where readers begin; and be sure to get on if that is behind you.",
        "index = max(index, first()); for ever: version, value = registers.read(f'{name}.{index}'); if version == 0: "
        "return found, index; if is_emptied(value): index = max(index + 1, first()); else: found.append((index, "
        "value)); index += 1.",
    ),
)
