"""Exercise 09e, a challenge: a lock-free set, from its specification, judged by linearizability.

M. Herlihy and J. Wing, "Linearizability: A Correctness Condition for Concurrent Objects", TOPLAS 12(3), 1990. The set
that the hints lead to is the universal construction of M. Herlihy, "Wait-Free Synchronization", TOPLAS 13(1), 1991.
"""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from ... import show as drawing
from ...errors import BadInput, OutcomeUnknown, what_failed
from ...lockfree.memory import Memory
from ...lockfree.queue import EMPTY
from ...node import Program
from ...node.access.handles import part_of
from ...node.pickling import pickle_handler, unpickle_handler
from ...node.world import ENGINE
from ...stores.codec import decode, encode
from ..kinds.proved import World
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import called, words_of
from ..kinds.task import Task
from .worlds import CALM, alone, holding, made, refuted

SET, NOTES, HISTORY = "set", "notes", "history"
NAMES = ("A", "B", "C")
ADD, REMOVE, SMALLEST = METHODS = "add", "remove", "smallest"
BEGINS, RETURNS, CUT_OFF = "begins", "returns", "cut off"  # the history's words for a call
BEGUN = "begun "  # beginning of the register that tells a second incarnation that there was a first
SECONDS = 120.0
MOST_STEPS = 200  # of a process alone
CALLS = (
    ("SortedSet(registers, name)", "A process opens the set. It is opened anew for each call."),
    ("add(value)", "Put a value, a text, into the set; True, or False if it was there."),
    ("remove(value)", "Take a value out of the set; True, or False if it was not there."),
    ("smallest()", "Return the smallest value that is in the set; None when it is empty."),
    ("registers.read(name)", "(version, value) of any register; (0, None) when nothing was written to it."),
    ("registers.cas(name, version, value)", "Write if the version is this one; True or False. Not None."),
)
WORLDS = (  # the contents of the set; the calls of each process; the faults
    ((), ("add tea, smallest, add tea, remove tea, remove tea, smallest",), CALM),
    (("tea", "milk"), ("smallest, remove milk, add milk, smallest",), CALM),
    ((), ("add tea", "add milk"), CALM),
    ((), ("add tea", "add tea"), CALM),
    (("tea",), ("remove tea", "remove tea"), CALM),
    (("milk",), ("remove milk", "add rice"), CALM),
    (("milk", "rice", "tea"), ("remove milk", "remove rice"), CALM),
    (("milk", "tea"), ("smallest", "add egg, remove milk"), CALM),
    (("milk",), ("remove milk, add milk", "add milk, remove milk"), CALM),
    (("milk",), ("add tea", "remove milk", "smallest"), CALM),
    (("milk",), ("add tea, remove milk", "remove milk, add egg"), {"crashes": 1}),
    ((), ("add tea, remove tea",), {"crashes": 0, "lost_replies": 1}),
    (("milk",), ("add tea, remove tea", "remove milk, smallest"), {"crashes": 0, "lost_replies": 1}),
    (("milk",), ("add tea, remove tea", "add egg, smallest"), {"crashes": 0, "lost_requests": 1}),
)


@dataclass
class Operation:
    """One call, from its first step to its end as numbers of lines; `said` is its result.

    `end` is None for a call that was cut off: the call may have taken place, or not.
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


class Alone(Memory):
    """The registers of a process that runs alone, and has to finish."""

    def _held(self, name):
        if self.steps > MOST_STEPS:
            raise BadInput(f"After {MOST_STEPS} steps one process, alone, has not finished.")
        return super()._held(name)


def caller(pickled, process, calls):
    """Return the handler of a process that makes calls, in order, in its first incarnation, and notes each call.

    Each incarnation has a class of its own, since processes share no memory. A call ends where it is noted, and
    the next call begins there.
    """

    def makes_calls(node):
        if not node.registers.cas(f"{BEGUN}{process}", EMPTY, True):
            return
        set_class, notes = unpickle_handler(pickled), node.store(NOTES)
        notes.append(HISTORY, [process, BEGINS, None])
        for call in calls:
            try:
                noted = [process, RETURNS, plain(called_on(set_class, node.registers, call))]
            except OutcomeUnknown:
                noted = [process, CUT_OFF, None]
            notes.append(HISTORY, noted)

    return makes_calls


def called_on(set_class, registers, call):
    """Make one call, such as "add tea", of a set that is opened for it; return its result."""
    kind, _, value = call.partition(" ")
    opened = set_class(registers, SET)
    if kind == ADD:
        return opened.add(value)
    return opened.remove(value) if kind == REMOVE else opened.smallest()


def plain(said):
    """Return an answer in a form for notes: other objects in words."""
    return said if said is None or isinstance(said, (bool, str)) else f"{said!r}, of {type(said).__name__}"


def made_alone(set_class, registers, calls, begin):
    """Yield the `Operation` of each call of one process that is alone, from the moment `begin` on."""
    for number, call in enumerate(calls):
        kind, _, value = call.partition(" ")
        yield Operation(0, kind, value, begin + number, begin + number, called_on(set_class, registers, call))


def filled(set_class, values):
    """Return (the writes that fill a set, as in `holding`; the results of the calls)."""
    registers = Alone()
    said = [one.said for one in made_alone(set_class, registers, [f"{ADD} {value}" for value in values], 0)]
    writes = [(name, decode(text)) for name, (version, text) in registers.cells.items() for _ in range(version)]
    return writes, said


@dataclass(frozen=True)
class Linearizable:
    """The rule for calls of some processes, on a set that was filled with `values` by calls that returned `said`."""

    pickled: bytes
    calls: tuple
    values: tuple
    said: tuple
    loses: bool

    def __call__(self, view):
        operations = self.operations(view.look(NOTES, HISTORY, "log"))
        return self.objection(view, operations) or not view.done or self.unexplained(view, operations) or True

    def operations(self, history):
        """Return the list of all calls that have begun, the filling's first."""
        found = [
            Operation(0, ADD, value, at - len(self.values), at - len(self.values), said)
            for at, (value, said) in enumerate(zip(self.values, self.said, strict=True))
        ]
        left, last = [list(each) for each in self.calls], {}
        for at, (process, what, said) in enumerate(history):
            if what != BEGINS:
                last[process].said = said
                last[process].end = 2 * at if what == RETURNS else None
            if left[process]:
                kind, _, value = left[process].pop(0).partition(" ")
                last[process] = Operation(process, kind, value, 2 * at + 1)
                found.append(last[process])
        return found

    def objection(self, view, operations):
        """Return a sentence on an immediate mistake, or None."""
        for one in operations:
            call = f"{one.kind} {one.value}".rstrip()
            if one.end is not None and one.kind != SMALLEST and not isinstance(one.said, bool):
                return f"the call {call} returns {one.said!r}; it returns True or False"
        if not self.loses and any(what == CUT_OFF for _, what, _ in view.look(NOTES, HISTORY, "log")):
            return "a call raises OutcomeUnknown although no answer was lost in it"
        values = {one.value for one in operations if one.value}
        for name, content in view.registers.items():
            if sum(repr(content).count(repr(value)) for value in values) > 1:
                return f"the register {name} holds {content!r}: more than one value of the set"
        return None

    def unexplained(self, view, operations):
        """Return a sentence on the mistake in a history, or None. At the end one process empties the set alone."""
        registers = Alone()
        for name, value in view.registers.items():
            registers.cells[name] = view.version(ENGINE, part_of(name)), encode(value)
        set_class, rest, moment = unpickle_handler(self.pickled), [], 2 * len(view.look(NOTES, HISTORY, "log")) + 1
        try:
            for _ in range(sum(one.kind == ADD for one in operations) + 1):
                rest += made_alone(set_class, registers, [SMALLEST], moment + len(rest))
                if not isinstance(rest[-1].said, str):
                    break
                rest += made_alone(set_class, registers, [f"{REMOVE} {rest[-1].said}"], moment + len(rest))
        except Exception as why:  # noqa: BLE001 - whatever a learner's code raises is told, with the schedule
            return f"the process that empties the set in the end fails with {words_of(why)}"
        if linearizable([*operations, *rest], frozenset()):
            return None
        left = [one.said for one in rest if one.kind == SMALLEST and one.said is not None]
        calls = [str(one) for one in operations[len(self.values) :]]
        had = f"the set holds {' and '.join(map(repr, self.values))}. " if self.values else ""
        return (
            f"{had}No order of these calls explains what came of them: {'; '.join(calls)}; in the end the set holds "
            f"{' and '.join(map(repr, left)) or 'nothing'}"
        )


def linearizable(operations, held, seen=None):
    """Tell whether each call can have taken place at one moment between its beginning and its end.

    A call that was cut off may have taken place later, or not at all. After J. Wing and C. Gong, "Testing and
    Verifying Concurrent Objects", Journal of Parallel and Distributed Computing 17, 1993.
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
    """Return (result of a call, the set after the call) when the set is `held`."""
    if one.kind == ADD:
        return one.value not in held, held | {one.value}
    if one.kind == REMOVE:
        return one.value in held, held - {one.value}
    return min(held, default=None), held


def worlds(set_class):
    """Yield each of `WORLDS`."""
    pickled = pickle_handler(set_class)
    for values, processes, faults in WORLDS:
        writes, said = filled(unpickle_handler(pickled), values)
        source, calls = holding(writes), tuple(tuple(each.split(", ")) for each in processes)
        loses = any(kind.startswith("lost") for kind in faults)
        programs = [Program(caller(pickled, number, each), source) for number, each in enumerate(calls)]
        yield World("", made(programs), Linearizable(pickled, calls, values, tuple(said), loses), faults)


def calm(set_class):
    """Return the run of one process that adds two values, asks for the smallest, and removes it."""
    calls = "add tea", "add milk", "smallest", "remove milk"
    return alone(Program(caller(pickle_handler(set_class), 0, calls), holding([])))


def check(answer):
    """Prove the worlds, the simplest first."""
    if unwritten(answer):
        return unsolved("the methods of your class")
    if missing := [name for name in METHODS if not callable(getattr(answer, name, None))]:
        return wrong(f"Your class has no method {missing[0]}; it needs {', '.join(METHODS)}.")
    run = called(calm, answer)
    if run.error:
        return wrong(f"It fails by itself: {what_failed(run.error)}", traceback=run.error)
    reply, states = refuted(answer, worlds, seconds=SECONDS)
    return reply or right(
        f"Each history has an order that explains it ({len(WORLDS)} worlds of up to three processes, {states:,} "
        "states): with a process that dies, with a lost request, and with a lost reply. And no process waits for "
        "another."
    )


def unwritten(answer):
    """Tell whether this is the class as it was handed out. Raises `BadInput` for another object than a class."""
    if answer is ...:
        return True
    if not isinstance(answer, type):
        raise BadInput(f"The answer is {answer!r}; it is a class, SortedSet.")
    return not any(callable(held) for held in vars(answer).values())


def show(answer):
    """Draw some calls of one process; without a class, return the table of the calls that it must have or may use."""
    if not unwritten(answer):
        return drawing.spacetime(called(calm, answer))
    table = pd.DataFrame(CALLS, columns=["call", "what it does"])
    return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))


TASK = Task(
    answer="SortedSet",
    tier="challenge",
    show=show,
    check=check,
)
