"""The challenge of chapter 09: a lock-free set.

The set that the hints lead to is the universal construction of M. Herlihy, "Wait-Free Synchronization", TOPLAS 13(1),
1991.
"""

from dataclasses import dataclass

from ...errors import BadInput, OutcomeUnknown, words_of
from ...exercises.kinds.kind import specification
from ...exercises.kinds.run_answer import called
from ...explore.linearizable import History, linearization
from ...lockfree.queue import EMPTY, Memory
from ...node.access.handles import part_of
from ...node.pickling import pickle_handler, unpickle_handler
from ...node.world import ENGINE
from ...stores.codec import decode, encode
from .worlds import LockFree, on, world

# 09e: a lock-free set, from its specification, judged by linearizability.

SET, NOTES, HISTORY = "set", "notes", "history"
MOST_STEPS = 200  # of a process alone


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

    def _held(self, name):
        if self.steps > MOST_STEPS:
            raise BadInput(f"After {MOST_STEPS} steps one process, alone, has not finished.")
        return super()._held(name)


def made(set_class, registers, call):
    """Make one call of a set that is opened for it; return the answer, in words where it is of another form."""
    kind, _, value = call.partition(" ")
    said = getattr(set_class(registers, SET), kind)(*[value] if value else [])
    return said if said is None or isinstance(said, (bool, str)) else f"{said!r}, of {type(said).__name__}"


def filled(set_class, contents):
    """Return (the writes that fill a set, as in `on`; the answers to the calls)."""
    registers = Alone()
    said = [made(set_class, registers, f"add {value}") for value in contents]
    return [(name, decode(text)) for name, (version, text) in registers.cells.items() for _ in range(version)], said


def caller(pickled, process, calls):
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

        def call(what):
            history.invoke("last", what)
            history.respond("last", said := made(set_class, registers, what))
            return said

        try:
            while isinstance(value := call("smallest"), str) and len(left) <= len(history.calls):
                left.append(value)
                call(f"remove {value}")
        except Exception as why:  # noqa: BLE001 - whatever a learner's code raises is told, with the schedule
            return f"the process that empties the set in the end fails with {words_of(why)}"
        if linearization(history, SetOfTexts()).whole:
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


WRITTEN = "elif self.registers.cas(cell, 0, [kind, value]):\n                return True"

SORTED_SET = LockFree(
    answer="SortedSet",
    tier="challenge",
    asks="your class",
    form="a class, SortedSet",
    idle=lambda run: False,
    worlds=[world("", lambda answer: on(caller(pickle_handler(answer), "A", EXAMPLE)), bool)],
    methods=("add", "remove", "smallest"),
    of=worlds,
    blank=lambda: specification(SetOfTexts),
    mistakes={
        "A: add tea, True; B: add tea, True": (
            WRITTEN,
            'else:\n                while not self.registers.cas(f"{self.name}.{index}", 0, [kind, value]):\n'
            "                    index += 1\n                return True",
        ),
        "A: add tea, True; A: remove tea, False": [
            ("elif self.registers.cas", "elif self._written"),
            (
                "    def _agreed",
                "    def _written(self, *what):\n        try:\n            return self.registers.cas(*what)\n"
                "        except Exception:\n            return False\n\n    def _agreed",
            ),
        ],
        "no order of these calls": (WRITTEN, f"else:\n                return {WRITTEN[5:47]}"),
        "more than one value of the set": ("[kind, value])", "[kind, value, *held])"),
        "add tea returns None; it returns True or False": ("return True", "return None"),
        "the process that empties the set in the end fails with": ("held - {call[1]}", "held"),
    },
    right=[("min(held, default=None)", "min(held) if held else None")],
    praise=f"Each history has an order that explains it ({len(GROUPS)} worlds of up to three processes, {{states}} "
    "states): with a process that dies, with a lost request, and with a lost reply. And no process waits for "
    "another.",
)

ITEMS = {"09e": SORTED_SET}
