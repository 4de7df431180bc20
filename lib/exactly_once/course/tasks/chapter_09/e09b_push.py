"""Exercise 09b: a push that helps: whoever finds the hint behind pays for the walk once, and nobody after it."""

from html import escape

from .... import show as drawing
from ....errors import BadInput
from ..reply import right, unsolved, wrong
from ..run_answer import called, words_of
from ..task import Task
from .schedules import Found, Run, drawn, searched

QUEUE = "queue"
HINT = f"{QUEUE}.hint"
FULL = 20  # cells that were filled by pushers who died before they moved the hint
QUICK = 8  # steps of a push that need not walk: the hint, a cell, the hint, and some to spare
SECONDS = 60.0


def pusher(push, values):
    """Return a process that pushes values one after the other; it returns (value, index) of each that came back."""

    def pushes(registers):
        return [(value, push(registers, QUEUE, value)) for value in values]

    return pushes


def behind(full, hint=0):
    """Return the registers of a queue with so many cells full, and its hint behind."""
    cells = {f"{QUEUE}.{index}": (1, f"old {index}") for index in range(full)}
    return {**cells, **({HINT: (1, hint)} if hint else {})}


def walks(push):
    """Push three values, with the hint ten cells behind. Returns (`Run`, (index, steps) of each push)."""
    counts = []

    def pushes(registers):
        for value in ("tea", "milk", "salt"):
            before = registers.run.taken[0]
            index = push(registers, QUEUE, value)
            counts.append((index, registers.run.taken[0] - before))

    return Run((pushes,), (), behind(FULL)).go(), counts


def measured(push):
    """Return (`Found`, the list of steps of each push) of three pushes behind a hint that lags."""
    run, counts = walks(push)
    sentence = ""
    for number, (index, steps) in enumerate(counts):
        if index != FULL + number:
            sentence = f"Push number {number + 1} returns {index!r}; its value belongs into cell {FULL + number}."
        elif number and steps > QUICK:
            sentence = (
                f"The hint was {FULL} cells behind. The first push took {counts[0][1]} steps; the one after it "
                f"should take {QUICK} at most, and takes {steps}: it pays for the same walk again."
            )
        if sentence:
            break
    why = next(iter(run.failed.values()), None)
    if not sentence and why is not None:
        sentence = f"Your function fails with {words_of(why)}."
    if not sentence and run.endless is not None:
        sentence = f"Alone, behind a hint that lags by {FULL} cells, your function does not come to an end."
    return Found(sentence, 1, ("you",), tuple(run.lines), run.cells, run.traceback), [steps for _, steps in counts]


def judged(run):
    """Return what is wrong with what pushers leave, or None: each value that came back once, no gap, a good hint."""
    full, hint, moved = {}, 0, 0
    for _, _, name, value in run.writes:
        if name == HINT:
            if not isinstance(value, int) or isinstance(value, bool):
                return f"The hint was written with {value!r}, which is no index."
            if value < hint:
                return (
                    f"The hint goes back, from {hint} to {value}: pushers walk again over what is known to be full."
                )
            hint = moved = value
            if any(f"{QUEUE}.{index}" not in full and f"{QUEUE}.{index}" not in BEFORE for index in range(moved)):
                return f"The hint was moved to {value} past an empty cell, which nobody will ever fill: readers stop."
        elif name in full:
            return f"The cell {name} was written twice: {full[name]!r} is gone."
        else:
            full[name] = value
    held = [value for name, (_, value) in run.cells.items() if name != HINT]
    for value in set(held):
        if held.count(value) > 1:
            return f"{value!r} is in the queue {held.count(value)} times, and was pushed once."
    for pushed in run.returned.values():
        for value, index in pushed:
            if run.cells.get(f"{QUEUE}.{index}", (0, None))[1] != value:
                return f"The push of {value!r} came back with {index!r}, and that cell does not hold it."
    indices = sorted(int(name.rpartition(".")[2]) for name in run.cells if name != HINT)
    if indices != list(range(len(indices))):
        return "A cell was left out: a reader stops there, and never sees what stands behind."
    for process, why in run.failed.items():
        value = _cut_off(run, process)
        if value is None:
            return (
                f"A push was given up ({type(why).__name__}) although its value stands in its cell, and only the "
                "hint's answer was lost. Whoever called it will push again, and the value is there twice."
            )
    return None


def _cut_off(run, process):
    """Return the words of the cell's step whose answer was lost, or None where it was the hint's."""
    lost = [line for line in run.lines if line.process == process and line.answer.startswith("⚡")]
    return None if lost and HINT in lost[-1].words and lost[-1].words.startswith("cas") else lost


BEFORE = behind(2)


def explored(push):
    """Return the `Found` of every schedule of some pushers, with a death and with a lost answer."""
    names, runs = ("A", "B"), 0
    for values, cells, bounds in (
        ((("tea",), ("milk",)), {}, {"switches": 3}),
        ((("tea", "salt"), ("milk",)), BEFORE, {"switches": 2, "dies": 1}),
        ((("tea",), ("milk",)), BEFORE, {"switches": 1, "lost_reply": 1}),
        ((("tea",), ("milk",)), BEFORE, {"switches": 1, "lost_request": 1}),
    ):
        programs = [pusher(push, each) for each in values]
        found = searched(lambda programs=programs, cells=cells: (names, programs, cells), judged, **bounds)
        runs += found.runs
        if found.sentence:
            return found._replace(runs=runs)
    return Found("", runs)


def check(push):
    """Count the steps behind a hint that lags; then try every schedule of two pushers."""
    if push is ...:
        return unsolved("your function")
    if not callable(push):
        raise BadInput(f"The answer is {push!r}; it is a function, push(registers, name, value).")
    found, steps = called(measured, push)
    if not found.lines or (len(found.lines) == 1 and found.lines[0].words == "ends"):
        return unsolved("the body of your function")
    if found.sentence:
        return wrong(found.sentence, picture=drawn(found, "Three pushes, alone"), traceback=found.traceback)
    tried = called(explored, push, seconds=SECONDS)
    if tried.sentence:
        return wrong(tried.sentence, picture=drawn(tried), traceback=tried.traceback)
    return right(
        f"Behind a hint that lags by {FULL} cells your pushes take {steps[0]}, {steps[1]} and {steps[2]} steps: the "
        f"walk is paid once. And in {tried.runs:,} runs of two pushers, with a death or a lost answer at any step, "
        "each value that came back is there once, and the hint is never moved back, and never past an empty cell.",
        picture=drawn(found, "Three pushes, alone"),
    )


def show(push):
    """Draw three pushes behind a hint that lags; without a function, the queue that they find."""
    if push is ...:
        said = f"{FULL} cells are full, and there is no hint yet: their pushers died between cell and hint."
        return drawing.Picture(f"<p>{escape(said)}</p>", text=said)
    return drawn(called(measured, push)[0], "Three pushes, alone")


TASK = Task(
    title="a push that helps",
    answer="push",
    show=show,
    check=check,
    hints=(
        "What does the second push know of the first one's walk? Only what the first one has written down.",
        "After your value is in its cell, move the hint behind it. It may be that somebody moved it meanwhile: when "
        "is a refused write a reason to look again, and when is it all the same?",
        "The hint helps, and no more: whether an answer about it is lost is no matter for your caller. But whether "
        "the value is in its cell is; an answer that is lost there must reach the caller, or be found out.",
        "version, hint = registers.read(f'{name}.hint'); index = hint or 0; while not "
        "registers.cas(f'{name}.{index}', 0, value): index += 1; then, in a "
        "try that catches OutcomeUnknown, registers.cas(f'{name}.hint', version, "
        "index + 1); return index.",
    ),
)
