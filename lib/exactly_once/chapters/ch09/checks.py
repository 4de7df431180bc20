"""The exercises of chapter 09: the queue's hint, a push that helps, a reader that is overtaken, a set."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import pairwise
from operator import index as whole_number
from typing import Any

from ... import show as drawing
from ...errors import BadInput, OutcomeUnknown, is_whole, words_of
from ...exercises.kinds.kind import Specified, called, specification
from ...exercises.kinds.reply import wrong
from ...lockfree.pushers import QUEUE
from ...lockfree.queue import EMPTY, FIRST, HINT, Memory, Queue, cell, emptied, index_in, is_emptied
from ...node.access import part_of
from ...node.program import pickle_handler, unpickle_handler
from ...node.world import ENGINE
from ...stores.codec import decode, encode
from ...verdict.linearizable import History, is_linearizable
from .worlds import LockFree, cells, on, steps_of, world

ITEMS: dict = {}  # {name: item}

# 09a: the hint of a queue, moved by many, that never goes back.

MOVED = "moved."  # beginning of the registers that say which indices `move` has returned for
THE_HINT = f"{QUEUE}{HINT}"


def mover(move, indices):
    """Return the handler that moves the hint to each of `indices`, and puts down that it was done."""

    def moves(node):
        for index in indices:
            move(node.registers, THE_HINT, index)
            node.registers.cas(f"{MOVED}{index}", EMPTY, index)

    return moves


def at_least(view, indices):
    """Once `move` has returned for an index, the hint is never below it; and a node has named it."""
    hint = view.registers.get("queue.hint", 0)
    moved = [index for index in indices if f"moved.{index}" in view.registers]
    return hint in (0, *indices) and all(hint >= index for index in moved)


def not_at_least(view, indices):
    """Say why the hint is not where it should be."""
    hint = view.registers.get(THE_HINT, 0)
    if hint not in (0, *indices):
        return f"the hint is {hint!r}, to which no node has moved it"
    moved = max(index for index in indices if f"{MOVED}{index}" in view.registers)
    return f"the hint is {hint} although a node has moved it to {moved}"


def hint_world(when: str, *indices: tuple[int, ...], **faults: int) -> Any:
    """Return the world of a node for each of `indices`, the numbers that it moves the hint to."""
    rule = Specified(at_least, not_at_least, [index for each in indices for index in each])
    return world(when, lambda move: on(*[mover(move, each) for each in indices]), rule, **faults)


ITEMS["09a"] = LockFree(
    alone=lambda move: on(mover(move, (2,))),
    idle=lambda run: len(steps_of(run)) < 2 and not run.error,
    worlds=[
        hint_world("Alone", (2, 4)),
        hint_world("With two nodes, one of which is behind", (3,), (1,)),
        hint_world("With two nodes that move it twice", (1, 4), (2, 3)),
        hint_world("With three nodes", (1,), (3,), (2,)),
        hint_world("With one crash", (2, 3), (4,), crashes=1),
        hint_world("With one lost reply", (2,), (4,), lost_replies=1),
    ],
    praise="The hint never goes back, and when `move` has returned the hint is where it should be. No node waits: a "
    "refused write means that another node has moved it. Proved for {worlds} groups of nodes, with a crash and with "
    "a lost reply ({states} states).",
)

# 09b: a pusher that finds the hint behind pays for the walk, and no pusher after it.

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
        if name == THE_HINT:
            self.hints[version] = value or 0
        return version, value

    def cas(self, name, expected_version, value):
        """Write `value` if the version is the expected one, and return whether it was."""
        self.last = ["cas", name]
        written = self.registers.cas(name, expected_version, value)
        if written and name == THE_HINT and is_whole(value):
            before = self.hints.get(expected_version, 0)
            self.hints[expected_version + 1] = value
            if value < before:
                self.back = [before, value]
        return written


def pushing(push: Callable[..., Any], values: tuple[str, ...], number: int = 0) -> Callable[..., Any]:
    """Return a handler whose first incarnation pushes values, and writes down what each push came to: its index and
    the move of the hint back, or what it asked last when there was no answer.
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


def each_once(view):
    """Each value whose push returned is in its cell, no value is there twice, and no cell is left out. The hint is an
    index, is never moved back, and never past an empty cell. A push that filled its cell returns, even if the answer
    to the move of the hint was lost.
    """
    held, hint = view.registers, view.registers.get(THE_HINT, 0)
    full = {index_in(QUEUE, name): held[name] for name in held if index_in(QUEUE, name) is not None}
    if not is_whole(hint):
        return f"the hint was written with {hint!r}, which is no index"
    if not set(range(hint)) <= set(full):
        return f"the hint was moved to {hint} past an empty cell. If no pusher fills it, readers stop there for ever"
    for index, value in full.items():
        if (count := list(full.values()).count(value)) > 1:
            return f"{value!r} is in the queue {count} times, and was pushed once"
        if view.version(ENGINE, part_of(cell(QUEUE, index))) > 1:
            return f"the cell {index} was written twice, so its first value is lost"
    for name, said in held.items():
        value = name.removeprefix(PUSHED).removeprefix(FAILED)
        if name.startswith(PUSHED) and full.get(said[0]) != value:
            return f"the push of {value!r} returned {said[0]!r}, and that cell does not hold it"
        if name.startswith(PUSHED) and said[1]:
            return f"the hint goes back, from {said[1][0]} to {said[1][1]}, so pushers try full cells again"
        if name.startswith(FAILED) and value in full.values() and said == ["cas", THE_HINT]:
            return (
                "a push raised OutcomeUnknown although its value is in its cell; only the answer to the move of the "
                "hint was lost. Its caller will push again, and then the value is there twice"
            )
    return sorted(full) == list(range(len(full))) or (
        "a cell was left out, so a reader stops there and never sees the cells behind it"
    )


def old(full: int) -> list[Any]:
    """Return the writes of a queue with a number of full cells, and no hint."""
    return cells(f"old {index}" for index in range(full))


def push_world(*pushed: tuple[str, ...], full: int = 0, **faults: int) -> Any:
    """Return the world of a pusher for each of `pushed`, its values."""
    return world(
        "",
        lambda push: on(*[pushing(push, each, at) for at, each in enumerate(pushed)], held=old(full)),
        each_once,
        **faults,
    )


def walks_again(push: Callable[..., Any], run: Any) -> Any:
    """Object to a push that walks after another one has walked: the run is that of three pushes, alone."""
    ends = [0, *[place for place, step in enumerate(steps_of(run)) if step.startswith(f"cas {PUSHED}")]]
    counts = [after - before - 1 for before, after in pairwise(ends)]
    slow = next((count for count in counts[1:] if count > QUICK), None)
    return slow and wrong(
        f"The hint was {FULL} cells behind. The first push took {counts[0]} steps; the one after it should take "
        f"{QUICK} at most, and takes {slow}: it tries the same full cells again.",
        picture=drawing.spacetime(run),
    )


def the_old_queue():
    """Say what the pushers find."""
    said = f"{FULL} cells are full, and there is no hint yet: their pushers died between cell and hint."
    return drawing.Picture(f"<p>{escape(said)}</p>", text=said)


ITEMS["09b"] = LockFree(
    alone=lambda push: on(pushing(push, ("tea", "milk", "salt")), held=old(FULL)),
    idle=lambda run: len(steps_of(run)) <= 1 and "returned None" in (run.error or ""),
    objects=walks_again,
    worlds=[
        push_world(("tea",), ("milk",)),
        push_world(("tea", "salt"), ("milk",), full=2),
        push_world(("tea",), ("milk",), full=2, crashes=1),
        push_world(("tea",), ("milk",), full=2, lost_replies=1),
        push_world(("tea",), ("milk",), full=2, lost_requests=1),
    ],
    blank=the_old_queue,
    pictured=True,
    praise=f"Behind a hint that lags by {FULL} cells only the first of your pushes walks. In every schedule of two "
    "pushers, with a crash or a lost answer at any step, each value whose push returned is there once, and the hint "
    "is never moved back, nor past an empty cell ({states} states).",
)

# 09d: a reader that retention overtakes, and that skips no remaining record.

SIGN, READ = f"{QUEUE}{FIRST}", "read"  # registers: where the cells begin that are left; what the reader returned
VALUES = ("tea", "milk", "salt", "rice", "plum", "egg")
MANY = 12  # cells that retention empties
MOST_STEPS = 60  # of a reader that ends
SPARE = 8  # steps for two records, and for finding the way to them


class Counting:
    """Registers that count what they are asked; where `overtaking` is given, it is called after the first read."""

    def __init__(self, registers, overtaking):
        self.registers, self.overtaking, self.steps = registers, overtaking, 0

    def read(self, name):
        """Return (version, value)."""
        if self.steps >= MOST_STEPS:
            raise BadInput(f"After {MOST_STEPS} steps your reader has not finished.")
        found, self.steps = self.registers.read(name), self.steps + 1
        if self.steps == 1 and self.overtaking:
            self.overtaking()
        return found

    def cas(self, name, expected_version, value):
        """Write `value` if the version is the expected one, and return whether it was."""
        self.steps += 1
        return self.registers.cas(name, expected_version, value)


def reading(read_from, index, dropped=0):
    """Return the handler that reads from an index on, and notes what was returned, and in how many steps.

    Where cells are `dropped`, retention empties as many after its first step.
    """

    def reads(node):
        registers = Counting(node.registers, dropped and (lambda: retention(dropped)(node)))
        said = read_from(registers, QUEUE, index)
        try:
            records, following = said
            noted = [[whole_number(at), value] for at, value in records], whole_number(following), registers.steps
        except (TypeError, ValueError):
            raise BadInput(
                f"It returns {said!r}; return the records and the index to go on from, such as ([(0, 'tea')], 1)."
            ) from None
        node.registers.cas(READ, EMPTY, noted)

    return reads


def retention(count):
    """Return the handler that empties the cells before the index `count`, as the library's queue does."""
    return lambda node: Queue(node.registers, QUEUE).sweep(values(count).__contains__) and None


def pusher_at(index):
    """Return the handler that pushes one record; where, it knows already."""
    return lambda node: Queue(node.registers, QUEUE).push_at("fish", index) and None


def values(full):
    """Return the values of a queue with a number of cells."""
    return [f"{VALUES[at % len(VALUES)]}{at // len(VALUES) or ''}" for at in range(full)]


def queue(full, swept=0, first=0):
    """Return the writes of a queue of so many cells, the first of which are emptied, with the sign for readers."""
    return [*cells(values(full)), *cells(map(emptied, values(swept))), *([(SIGN, first)] if first else [])]


def reads_what_stands(view, full, index):
    """The rule for a reader that is asked for records from `index` on, of a queue of `full` cells and one more.

    It is asked at every moment after the reader returned: what stands in its cell then stood there while it read.
    """
    if READ not in view.registers:
        return True
    records, following, _ = view.registers[READ]
    indices = [at for at, _ in records]
    if stray := [at for at in indices if at < index]:
        return f"it returns the record at {stray[0]}; it was asked for those from {index} on"
    for place, (at, value) in enumerate(records):
        if is_emptied(value):
            return f"it returns the emptied cell {at}: that is no record, but the place where one was"
        if view.registers.get(cell(QUEUE, at)) not in (value, emptied(value)):
            return f"it returns {value!r} at {at}, which was not in that cell while it read"
        if place and at <= indices[place - 1]:
            return f"it returns {indices[place - 1]} and then {at}: the order of the queue is that of the indices"
    for name, value in sorted(view.registers.items()):
        at = index_in(QUEUE, name)
        if at is not None and not is_emptied(value) and index <= at < max(full, following) and at not in indices:
            return (
                f"it leaves out {value!r} at {at}, which was not dropped while it read, and goes on from "
                f"{following}: this record is lost for its reader"
            )
    if indices and following <= indices[-1]:
        return f"it returns the record at {indices[-1]}, and would go on from {following}: that record comes twice"
    return following >= index or (
        f"it was asked for the records from {index} on, and would go on from {following}: it goes back"
    )


def quickly(view):
    """The rule for a reader that finds two records behind many that were dropped."""
    steps = view.registers[READ][2] if READ in view.registers else 0
    return steps <= SPARE or (
        f"the two records that are left take it {steps} steps; {SPARE} are enough for one that follows the register "
        f"{SIGN!r} and does not visit the emptied cells one by one"
    )


def read_world(held: tuple[int, ...], index: int, dropped: int) -> Any:
    """Return the world of a reader from an index on, of retention, and of a pusher."""
    full, rule = held[0], partial(reads_what_stands, full=held[0], index=index)
    return world(
        "", lambda answer: on(reading(answer, index), retention(dropped), pusher_at(full), held=queue(*held)), rule
    )


def what_it_finds():
    """Say what the reader of the example finds."""
    said = (
        f"{cell(QUEUE, 0)} was emptied: version 2. {cell(QUEUE, 1)} and {cell(QUEUE, 2)} hold records: version 1. "
        f"{cell(QUEUE, 3)} was never written to: version 0. {SIGN} holds 1."
    )
    return drawing.Picture(f"<p>{escape(said)}</p>", text=said)


ITEMS["09d"] = LockFree(
    alone=lambda answer: on(reading(answer, 0), held=queue(3, 1, 1)),
    idle=lambda run: not steps_of(run) and "It returns None" in (run.error or ""),
    worlds=[
        read_world((2,), 0, 0),  # (cells, emptied, sign) of the queue, where the reader begins, how many are dropped
        read_world((3,), 1, 0),
        read_world((3, 1, 1), 0, 0),
        read_world((3, 2, 1), 0, 0),
        read_world((3, 3, 3), 0, 0),
        read_world((3,), 0, 1),
        read_world((3,), 0, 2),
        read_world((4, 1, 1), 0, 3),
        read_world((2,), 5, 1),
        world(
            f"Of {MANY + 2} records {MANY} were dropped before your reader began",
            lambda answer: on(reading(answer, 0), held=queue(MANY + 2, MANY, MANY)),
            quickly,
        ),
        world(
            f"Of {MANY + 2} records {MANY} are dropped after its first step, while it reads",
            lambda answer: on(reading(answer, 0, MANY), held=queue(MANY + 2)),
            quickly,
        ),
    ],
    blank=what_it_finds,
    pictured=True,
    praise="Whatever retention and a pusher do meanwhile, it returned records alone, in order, each once, and left "
    f"out none that was still there ({{worlds}} worlds, {{states}} states). Where {MANY} records are dropped, before "
    "it begins or while it reads, it follows the sign to the two that are left.",
)

# 09e: a lock-free set, from its specification, judged by linearizability. The set that the hints lead to is the
# universal construction of M. Herlihy, "Wait-Free Synchronization", TOPLAS 13(1), 1991.

SET, NOTES, HISTORY = "set", "notes", "history"
MOST_ALONE = 200  # of a process alone


class SetOfTexts:
    """The set as one process alone sees it; a call is a text such as "add tea"."""

    initial: frozenset[str] = frozenset()

    def apply(self, state, call):
        """Return the set after a call, and the answer."""
        kind, _, value = call.partition(" ")
        if kind == "add":
            return state | {value}, value not in state
        if kind == "remove":
            return state - {value}, value in state
        return state, min(state, default=None)


class Alone(Memory):
    """The registers of a process that runs alone, and has to finish."""

    def _held(self, name: str) -> tuple[int, str]:
        if self.steps > MOST_ALONE:
            raise BadInput(f"After {MOST_ALONE} steps one process, alone, has not finished.")
        return super()._held(name)


def made(set_class: type, registers: Any, call: str) -> bool | str | None:
    """Make one call of a set that is opened for it; return the answer, in words where it is of another form."""
    kind, _, value = call.partition(" ")
    said = getattr(set_class(registers, SET), kind)(*[value] if value else [])
    return said if said is None or isinstance(said, (bool, str)) else f"{said!r}, of {type(said).__name__}"


def filled(set_class: type, contents: list[Any]) -> tuple[Any, ...]:
    """Return (the writes that fill a set, as in `on`; the answers to the calls)."""
    registers = Alone()
    said = [made(set_class, registers, f"add {value}") for value in contents]
    return [(name, decode(text)) for name, (version, text) in registers.cells.items() for _ in range(version)], said


def caller(pickled: bytes, process: str, calls: list[str]) -> Callable[..., Any]:
    """Return the handler of a process that makes calls, in order, in its first incarnation, and notes each.

    Each incarnation has a class of its own, since processes share no memory. A call ends where its answer is noted,
    and the next call begins there: a note is [process, whether the call has an answer, the answer, the next call].
    The first note of a process has no call before it.
    """

    def makes_calls(node):
        if not node.registers.cas(f"begun {process}", EMPTY, True):
            return
        set_class, notes = unpickle_handler(pickled), node.store(NOTES)
        notes.append(HISTORY, [process, None, None, calls[0]])
        for call, following in zip(calls, [*calls[1:], None], strict=True):
            try:
                noted = [process, True, made(set_class, node.registers, call), following]
            except OutcomeUnknown:
                noted = [process, False, None, following]
            notes.append(HISTORY, noted)

    return makes_calls


@dataclass(frozen=True)
class Linearizable:
    """The rule for calls of some processes, on a set that was filled with `contents` by calls that returned `said`.

    In the end one process empties the set, alone, and its calls belong to the history.
    """

    pickled: bytes
    contents: list
    said: list
    loses: bool

    def __call__(self, view):
        notes, history = view.look(NOTES, HISTORY, "log"), History()
        for value, said in zip(self.contents, self.said, strict=True):
            history.invoke("first", f"add {value}")
            history.respond("first", said)
        for process, answered, said, following in notes:
            if answered:
                history.respond(process, said)
            if following:
                history.invoke(process, following)
        if not self.loses and any(answered is False for _, answered, _, _ in notes):
            return "a call raises OutcomeUnknown although no answer was lost in it"
        return self.objection(view, history.calls) or not view.done or self.unexplained(view, history) or True

    def objection(self, view, calls):
        """Return a sentence on an immediate mistake, or None."""
        for one in calls:
            if one.end is not None and one.call != "smallest" and not isinstance(one.answer, bool):
                return f"the call {one.call} returns {one.answer!r}; it returns True or False"
        texts = {one.call.partition(" ")[2] for one in calls} - {""}
        for name, content in view.registers.items():
            if sum(repr(content).count(repr(value)) for value in texts) > 1:
                return f"the register {name} holds {content!r}: more than one value of the set"
        return None

    def unexplained(self, view, history):
        """Return a sentence on a history that no order explains, or None."""
        registers, set_class, left = Alone(), unpickle_handler(self.pickled), []
        calls = "; ".join(map(str, history.calls[len(self.contents) :]))
        for name, value in view.registers.items():
            registers.cells[name] = view.version(ENGINE, part_of(name)), encode(value)

        def call(what: str) -> bool | str | None:
            history.invoke("last", what)
            history.respond("last", said := made(set_class, registers, what))
            return said

        try:
            while isinstance(value := call("smallest"), str) and len(left) <= len(history.calls):
                left.append(value)
                call(f"remove {value}")
        except Exception as why:  # noqa: BLE001 - whatever a learner's code raises is told, with the schedule
            return f"the process that empties the set in the end fails with {words_of(why)}"
        if is_linearizable(history, SetOfTexts.initial, SetOfTexts().apply):
            return None
        had = f"of a set that held {' and '.join(map(repr, self.contents))} " if self.contents else ""
        has = " and ".join(map(repr, left)) or "nothing"
        return f"no order of these calls {had}explains what came of them: {calls}; in the end the set holds {has}"


GROUPS = (  # the contents of the set, the calls of each process, the faults
    ("", ("add tea, smallest, add tea, remove tea, remove tea, smallest",), {}),
    ("tea milk", ("smallest, remove milk, add milk, smallest",), {}),
    ("", ("add tea", "add milk"), {}),
    ("", ("add tea", "add tea"), {}),
    ("tea", ("remove tea", "remove tea"), {}),
    ("milk", ("remove milk", "add rice"), {}),
    ("milk rice tea", ("remove milk", "remove rice"), {}),
    ("milk tea", ("smallest", "add egg, remove milk"), {}),
    ("milk", ("remove milk, add milk", "add milk, remove milk"), {}),
    ("milk", ("add tea", "remove milk", "smallest"), {}),
    ("milk", ("add tea, remove milk", "remove milk, add egg"), {"crashes": 1}),
    ("", ("add tea, remove tea",), {"lost_replies": 1}),
    ("milk", ("add tea, remove tea", "remove milk, smallest"), {"lost_replies": 1}),
    ("milk", ("add tea, remove tea", "add egg, smallest"), {"lost_requests": 1}),
)


EXAMPLE = ["add tea", "add milk", "smallest", "remove milk"]


def worlds(answer):
    """Return the world of each group; the sets are filled with the learner's own class."""
    pickled, found = pickle_handler(answer), []
    for contents, processes, faults in GROUPS:
        held, said = called(filled, answer, contents.split())
        calls = zip("ABC", [each.split(", ") for each in processes], strict=False)
        handlers = [caller(pickled, *each) for each in calls]
        rule = Linearizable(pickled, contents.split(), said, any(kind.startswith("lost") for kind in faults))
        found.append(world("", lambda _, handlers=handlers, held=held: on(*handlers, held=held), rule, **faults))
    return found


ITEMS["09e"] = LockFree(
    asks="your class",
    form="a class, SortedSet",
    idle=lambda run: False,
    worlds=[world("", lambda answer: on(caller(pickle_handler(answer), "A", EXAMPLE)), bool)],
    methods=("add", "remove", "smallest"),
    of=worlds,
    blank=lambda: specification(SetOfTexts),
    praise=f"Each history has an order that explains it ({len(GROUPS)} worlds of up to three processes, {{states}} "
    "states): with a process that dies, with a lost request, and with a lost reply. And no process waits for "
    "another.",
)
