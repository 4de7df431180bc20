"""Exercise 09e, a challenge: a lock-free set, from its specification, judged by linearizability.

M. Herlihy and J. Wing, "Linearizability: A Correctness Condition for Concurrent Objects", TOPLAS 12(3), 1990. The set
that the hints lead to is the universal construction of M. Herlihy, "Wait-Free Synchronization", TOPLAS 13(1), 1991.
"""

from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from .... import show as drawing
from ....errors import BadInput, OutcomeUnknown
from ....node.pickling import pickle_handler, unpickle_handler
from ..reply import right, unsolved, wrong
from ..run_answer import called
from ..task import Task
from .schedules import Found, Run, drawn, problem, searched

SET = "set"
NAMES = ("A", "B", "C")
ADD, REMOVE, SMALLEST = METHODS = "add", "remove", "smallest"
SECONDS = 120.0
CALLS = (
    ("SortedSet(registers, name)", "A process opens the set. It is opened anew for each call."),
    ("add(value)", "Put a value, a text, into the set; True, or False if it was there."),
    ("remove(value)", "Take a value out of the set; True, or False if it was not there."),
    ("smallest()", "Return the smallest value that is in the set; None when it is empty."),
    ("registers.read(name)", "(version, value) of any register; (0, None) when nothing was written to it."),
    ("registers.cas(name, version, value)", "Write if the version is this one; True or False. Not None."),
)
WORLDS = (  # what is in the set; what each process calls; the events
    ((), ("add tea, smallest, add tea, remove tea, remove tea, smallest",), {"switches": 0}),
    (("tea", "milk"), ("smallest, remove milk, add milk, smallest",), {"switches": 0}),
    ((), ("add tea", "add milk"), {"switches": 3}),
    ((), ("add tea", "add tea"), {"switches": 3}),
    (("tea",), ("remove tea", "remove tea"), {"switches": 3}),
    (("milk",), ("remove milk", "add rice"), {"switches": 3}),
    (("milk", "rice", "tea"), ("remove milk", "remove rice"), {"switches": 3}),
    (("milk", "tea"), ("smallest", "add egg, remove milk"), {"switches": 2}),
    (("milk",), ("remove milk, add milk", "add milk, remove milk"), {"switches": 2}),
    (("milk",), ("add tea", "remove milk", "smallest"), {"switches": 2}),
    (("milk",), ("add tea, remove milk", "remove milk, add egg"), {"switches": 1, "dies": 1}),
    (("milk",), ("add tea, remove tea", "remove milk, smallest"), {"switches": 1, "lost_reply": 1}),
    (("milk",), ("add tea, remove tea", "add egg, smallest"), {"switches": 1, "lost_request": 1}),
)


@dataclass
class Operation:
    """One call, from its first step to its end as numbers of lines; `said` is what it returned.

    `end` is None for one that was cut off: it may have taken place, or not.
    """

    process: int
    kind: str
    value: str
    begin: int
    end: int | None = None
    said: Any = None

    def __str__(self):
        call = f"{NAMES[self.process]}: {self.kind} {self.value}".rstrip()
        return f"{call} (cut off)" if self.end is None else f"{call}, {self.said!r}"


@dataclass
class History:
    """What the processes of one run called, and what they were answered. `sentence` is what is wrong at once."""

    operations: list = field(default_factory=list)
    sentence: str = ""

    def program(self, set_class, process, calls):
        """Return the process that makes these calls, in order."""

        def runs(registers):
            for call in calls:
                self.call(set_class, process, call, registers)

        return runs

    def call(self, set_class, process, call, registers):
        """Make one call, and note it; one that raises `OutcomeUnknown` was cut off, and the process goes on."""
        kind, _, value = call.partition(" ")
        run, one = registers.run, Operation(process, kind, value, len(registers.run.lines))
        begun = one.begin
        self.operations.append(one)
        try:
            method = getattr(set_class(registers, SET), kind)
            one.said = method(value) if value else method()
        except OutcomeUnknown:
            if not any(line.answer.startswith("⚡") for line in run.lines[begun:] if line.process == process):
                self.sentence = self.sentence or f"{call} raises OutcomeUnknown although no answer was lost in it."
            run.note(process, call, "raises OutcomeUnknown")
        else:
            one.end = len(run.lines)
            run.note(process, call, f"returns {one.said!r}")
            if kind != SMALLEST and not isinstance(one.said, bool):
                self.sentence = self.sentence or f"{call} returns {one.said!r}; it returns True or False."
        begins(run, one)


def begins(run, one):
    """Let a call begin at its first step: before that, it might as well have been made later."""
    mine = (at for at in range(one.begin, len(run.lines)) if run.lines[at].process == one.process)
    one.begin = next(mine, one.begin)


def judged(run, history, set_class):
    """Return what is wrong with a history, or None. In the end one process alone takes out what is left."""
    if history.sentence:
        return history.sentence
    values = {one.value for one in history.operations if one.value}
    for name, (_, content) in run.cells.items():
        if sum(repr(content).count(repr(value)) for value in values) > 1:
            return f"The register {name} holds {content!r}: more than one value of the set."
    for one in history.operations:  # those who died in the middle of a call
        if one.process in run.stopped and one.end is None:
            begins(run, one)
    rest = History()
    emptied = Run((lambda registers: _emptied(rest, set_class, registers, len(values) + 1),), (), run.cells).go()
    if sentence := problem(emptied, ("Whoever empties the set in the end",)) or rest.sentence:
        return sentence
    for number, one in enumerate(rest.operations):
        one.begin = one.end = len(run.lines) + number
    if linearizable([*history.operations, *rest.operations], frozenset()):
        return None
    left = [one.said for one in rest.operations if one.kind == SMALLEST and one.said is not None]
    calls = [str(one) for one in history.operations if one.begin >= 0]
    first = [repr(one.value) for one in history.operations if one.begin < 0]
    had = f"The set holds {' and '.join(first)}. " if first else ""
    return (
        f"{had}No order of these calls explains what came of them: {'; '.join(calls)}; in the end the set holds "
        f"{' and '.join(map(repr, left)) or 'nothing'}."
    )


def _emptied(history, set_class, registers, most):
    for _ in range(most):
        history.call(set_class, 0, SMALLEST, registers)
        smallest = history.operations[-1].said
        if not isinstance(smallest, str):
            return
        history.call(set_class, 0, f"{REMOVE} {smallest}", registers)


def linearizable(operations, held, seen=None):
    """Tell whether each call can have taken place at one moment between its beginning and its end.

    One that was cut off may have taken place later, or not at all. After J. Wing and C. Gong, "Testing and Verifying
    Concurrent Objects", Journal of Parallel and Distributed Computing 17, 1993.
    """
    ended = [one for one in operations if one.end is not None]
    if not ended:
        return True
    seen = set() if seen is None else seen
    key = tuple(map(id, operations)), held
    if key in seen:
        return False
    seen.add(key)
    first = min(one.end for one in ended)
    for place, one in enumerate(operations):
        said, after = carried_out(one, held)
        fits = one.end is None or (one.said == said and type(one.said) is type(said))
        if one.begin <= first and fits and linearizable(operations[:place] + operations[place + 1 :], after, seen):
            return True
    return False


def carried_out(one, held):
    """Return (what a call returns, the set after it) when the set is `held`."""
    if one.kind == ADD:
        return one.value not in held, held | {one.value}
    if one.kind == REMOVE:
        return one.value in held, held - {one.value}
    return min(held, default=None), held


def explored(set_class):
    """Return the `Found` of all worlds, each under every schedule within its bounds."""
    runs, pickled = 0, pickle_handler(set_class)
    for values, programs, bounds in WORLDS:
        first = unpickle_handler(pickled)
        filled = History()
        start = Run((filled.program(first, 0, [f"{ADD} {value}" for value in values]),)).go()
        if sentence := problem(start, ("Whoever fills the set",)) or judged(start, filled, first):
            return Found(sentence, 1, NAMES[:1], tuple(start.lines), start.cells, start.traceback)
        for one in filled.operations:
            one.begin = one.end = -1
        now = {}

        def world(start=start, filled=filled, programs=programs, now=now):
            now["history"] = history = History(list(filled.operations))
            copies = [unpickle_handler(pickled) for _ in programs]  # processes share no memory
            calls = [each.split(", ") for each in programs]
            made = [history.program(copy, at, calls[at]) for at, copy in enumerate(copies)]
            return NAMES[: len(programs)], made, start.cells

        found = searched(world, lambda run, now=now, first=first: judged(run, now["history"], first), **bounds)
        runs += found.runs
        if found.sentence:
            return found._replace(runs=runs)
    return Found("", runs)


def check(answer):
    """Try every schedule of the worlds, the simplest world first."""
    if unwritten(answer):
        return unsolved("the methods of your class")
    if missing := [name for name in METHODS if not callable(getattr(answer, name, None))]:
        return wrong(f"Your class has no method {missing[0]}; it needs {', '.join(METHODS)}.")
    found = called(calm, answer)
    if not found.sentence:
        found = called(explored, answer, seconds=SECONDS)
    if found.sentence:
        return wrong(found.sentence, picture=drawn(found), traceback=found.traceback)
    return right(
        f"Each history has an order that explains it, in {found.runs:,} runs of up to three processes: with up to "
        "three switches, with a process that stands still for good, with a lost request, and with a lost reply. And "
        "nobody ever waits for anybody."
    )


def unwritten(answer):
    """Tell whether this is the class as it was handed out. Raises `BadInput` for what is no class."""
    if answer is ...:
        return True
    if not isinstance(answer, type):
        raise BadInput(f"The answer is {answer!r}; it is a class, SortedSet.")
    return not any(callable(held) for held in vars(answer).values())


def calm(answer):
    """Return the `Found` of one process that adds two values, asks for the smallest, and removes it."""
    history = History()
    calls = ["add tea", "add milk", "smallest", "remove milk"]
    run = Run((history.program(answer, 0, calls),)).go()
    return Found(problem(run, NAMES) or "", 1, NAMES[:1], tuple(run.lines), run.cells, run.traceback)


def show(answer):
    """Draw some calls of one process; without a class, what it has to do and what it can use."""
    if not unwritten(answer):
        return drawn(called(calm, answer), "Four calls of one process")
    table = pd.DataFrame(CALLS, columns=["call", "what it does"])
    return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))


TASK = Task(
    title="a lock-free set",
    answer="SortedSet",
    tier="challenge",
    show=show,
    check=check,
    hints=(
        "Two ways lead there. One builds the set itself, a list of registers in order, and has to guard each "
        "pointer. The other asks what the chapter's queue already gives: one order of whatever was pushed, the same "
        "for all.",
        "If all processes agree on the order of the calls, each can work out for itself what the set holds and what "
        "its own call returns. What must be in a cell for that? And which calls need no cell of their own?",
        "At which moment does a call take place? One that changes something: when its cell is written. One that "
        "changes nothing: when its process saw an empty cell behind all those that it had read. If the write is "
        "refused, another call came first: take that one into account, and decide anew.",
        "Walk from cell 0: version, call = registers.read(f'{name}.{index}'). While there is one, carry it out on a "
        "Python set of your own, and go on. At the empty cell: smallest returns min(held, default=None); an add of "
        "what is there, or a remove of what is not, returns False; else registers.cas(cell, 0, [kind, value]): "
        "written, return True; refused, read the same cell again.",
    ),
)
