"""The gaps of chapter 09: adding by compare-and-swap, the queue's search, its places and its retention."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ...errors import OutcomeUnknown
from ...exercises.kinds.compared import Invariant, Moment
from ...exercises.kinds.kind import called
from ...exercises.kinds.mistakes import answer_with
from ...exercises.kinds.reply import wrong
from ...lockfree import Queue, cas, pushers
from ...lockfree.pushers import QUEUE, cells_of, exactly, newest_of, placer, pusher
from ...lockfree.queue import Memory, cell
from ...lockfree.weaker import Histories
from .worlds import LockFree, on, world

ITEMS: dict = {}  # {name: item}

MOST = 60  # operations on the few cells of an example


class Limited(Memory):
    """Registers that answer so often, and not for ever; `full` are the values of the first cells."""

    def __init__(self, full: str = "") -> None:
        super().__init__()
        self.cells = {cell(QUEUE, index): (1, f'"{value}"') for index, value in enumerate(full)}

    def read(self, name: str) -> tuple[int, Any]:
        """Return (version, value). Raises `RuntimeError` after many operations."""
        if self.steps >= MOST:
            raise RuntimeError(f"your lines have looked at cells {MOST} times, and go on")
        return super().read(name)


# 09-again: a change that is repeated until it is known to have taken place, and takes place once.


def adding(*changes: int) -> Callable[..., Any]:
    """Return a function of the learner's lines: the programs of a node for each of `changes`, which it adds."""

    def adds(change, by):
        return lambda node: change(node.registers, by, f"node {node.number}")

    return lambda change: on(*[adds(change, by) for by in changes])


def number_is(wanted: int) -> Callable[..., Any]:
    """Return the invariant that at the end the number is `wanted`."""

    def rule(view):
        held = view.registers.get("number")
        number = held[0] if isinstance(held, list) and held else held or 0
        return not view.done or number == wanted or f"the number is {number}, and {wanted} is right"

    return rule


ITEMS["09-again"] = LockFree(
    refuses=(cas.signing,),
    worlds=[
        world("Two nodes, +1 and -1, and nothing is lost", adding(1, -1), number_is(0)),
        world("Two nodes, +1 and +1, and nothing is lost", adding(1, 1), number_is(2)),
        world("One node, and one request is lost", adding(1), number_is(1), lost_requests=1),
        world("One node, and one reply is lost", adding(1), number_is(1), lost_replies=1),
        world("Two nodes, +1 and -1, and one reply is lost", adding(1, -1), number_is(0), lost_replies=1),
        world("Two nodes, +1 and -1, and one request is late", adding(1, -1), number_is(0), late_requests=1),
        world("Two nodes, +1 and -1, and one dies", adding(1, -1), number_is(0), crashes=1),
    ],
    praise="Each change is there once, with one reply lost, one request lost or late, or one crash.",
)

# 09-goes-on: add one by compare-and-swap, so that no node waits for another.


def all_counted(first: int) -> Callable[..., Any]:
    """Return the invariant: at the end two nodes have added one each to `first`, and the number is never larger."""

    def rule(view):
        number = view.registers.get("number", first)
        missed = number > first + 2 or (view.done and number != first + 2)
        return not missed or f"2 nodes add one each, and the number is {number}"

    return rule


ITEMS["09-goes-on"] = LockFree(
    idle=lambda run: False,
    alone=lambda answer: on(lambda node: None),  # lines that do not end are told with their schedule
    worlds=[
        world("", lambda answer: on(answer, answer), all_counted(0)),
        world("The number is 5 at first", lambda answer: on(answer, answer, held=[("number", 5)]), all_counted(5)),
    ],
    praise="Both are counted in every schedule of two nodes, and neither ever waits for the other.",
)

# 09-leader: search with reads that may be stale, and ask the leader only where it matters.

FULL = 6


def searched(theirs, lag):
    """Return (the index that was found, how often the leader was asked); the follower lags behind by `lag` cells."""
    leader, follower = Limited("x" * FULL), Limited("x" * (FULL - lag))
    return theirs(leader, follower), leader.steps


def asks_too_much(answer, run):
    """Search beside followers that know of fewer and fewer cells; object to a wrong index, and to a needless read."""
    for lag in (0, 1, 3, 6):
        index, asked = called(searched, answer, lag)
        told = f"{FULL} cells are full, and the follower knows of {FULL - lag}"
        if index != FULL:
            return wrong(f"{told}: your lines return {index!r}, and the first empty cell is {FULL}.")
        if asked > lag + 1:
            return wrong(
                f"{told}: your lines ask the leader {asked} times, and {lag + 1} would do. A cell that was filled "
                "never becomes empty again, so the follower's answer “full” needs no second question."
            )
    return None


class Searching(Queue):
    """The queue over registers that keep their histories, whose `next_index` is the learner's."""

    def __init__(self, node, theirs):
        super().__init__(Histories(node.registers), QUEUE)
        self.next_index = lambda: theirs(self.registers, Histories(node.registers, node.choose))


ITEMS["09-leader"] = LockFree(
    idle=lambda run: False,
    objects=asks_too_much,
    alone=lambda answer: on(lambda node: None),
    worlds=[
        world(
            "A pusher of two equal values",
            lambda answer: on(placer(7, 7, queue_of=lambda node: Searching(node, answer))),
            exactly(7, 7, cells=newest_of),
            crashes=1,
        )
    ],
    praise="No value is lost, however old the follower's answers are, and the leader is asked about few cells.",
)

# 09-once: the invariant of a queue to which two nodes push; one of the nodes may die.


def moments() -> list[Moment]:
    """Return the moments of a queue to which two nodes push "a" and "b"; a text is the cells in order."""
    going = ("", "a", "aa", "aab", "aaab", "aaaab", "abbbb", "aaba")
    ended = ("abab", "aabb", "aaabb", "aababb", "ababb", "", "ab", "aab", "abb", "aaaabb", "aabbbb", "abba")
    found = []
    for cells, done in [*[(one, False) for one in going], *[(one, True) for one in ended]]:
        view = SimpleNamespace(registers={cell(QUEUE, at): value for at, value in enumerate(cells)}, done=done)
        told = pushers.each_push_once(2, 1, "a", "b")(view)
        when = f"The cells hold {', '.join(cells) or 'nothing'}, and {'both have ended' if done else 'they go on'}"
        why = "This can occur." if told is True else f"This cannot occur: {told}."
        found.append(Moment(when, view, answer_with("09-once")(view), why))
    return found


ITEMS["09-once"] = Invariant(
    refuses=(pushers.each_push_once,),
    moments=moments,
    praise="Your invariant is right at all {count} moments: it accepts those that can occur, no others.",
)

# 09-place: push at a prepared place, once or many times.


class Placing(Queue):
    """The queue with the learner's lines."""

    def __init__(self, node, theirs):
        super().__init__(node.registers, QUEUE)
        self.push_at_idempotent = lambda value, index: theirs(Queue(node.registers, QUEUE), value, index)


def placing(*pushed: tuple[str, ...]) -> Callable[..., Any]:
    """Return a function of the learner's lines: programs that push values at places that they prepare and keep."""

    def places(theirs, values):
        push_all = placer(*values, queue_of=lambda node: Placing(node, theirs))

        def handler(node):
            while True:
                try:
                    return push_all(node)
                except OutcomeUnknown:
                    pass  # the place is kept: begin with it

        return handler

    return lambda theirs: on(*[places(theirs, values) for values in pushed])


ONE, TWO = placing(("a1", "a2")), placing(("a",), ("b",))

ITEMS["09-place"] = LockFree(
    refuses=(Queue.push_at_idempotent,),
    worlds=[
        world("One pusher, and nothing goes wrong", ONE, exactly("a1", "a2")),
        world("Two pushers, and nothing goes wrong", TWO, exactly("a", "b")),
        world("One pusher that dies once", ONE, exactly("a1", "a2"), crashes=1),
        world("Two pushers, and one reply is lost", TWO, exactly("a", "b"), lost_replies=1),
        world("Two pushers, and one request is late", TWO, exactly("a", "b"), late_requests=1),
    ],
    praise="Each value is in the queue once, with one crash, one lost reply, or one late request.",
)

# 09-sweep: empty the old cells from the front, so that no reader takes them for cells that were never filled.


def swept(theirs: Any, pushed: str) -> tuple[Any, int, int]:
    """Sweep twice what was pushed; "a" is old. Return (what the cells hold, the index that each returned)."""
    registers, found = Limited(pushed), []
    for _ in range(2):
        registers.log.clear()
        found.append(theirs(registers, lambda value: value == "a"))
    registers.log.clear()
    return [registers.read(cell(QUEUE, index))[1] for index in range(len(registers.cells))], *found


def sweeps_wrongly(answer: Any, run: Any) -> Any:
    """Sweep some queues, twice each; object to the first that another one than the solved cell leaves."""
    for pushed in ("", "a", "aab", "aba", "b", "aaa"):
        held, first, again = called(swept, answer, pushed)
        left, *wanted = swept(answer_with("09-sweep"), pushed)
        told = f"Pushed: {', '.join(pushed) or 'nothing'}; old is a. Your lines"
        if held != left:
            return wrong(f"{told} leave {held} in the cells; right is {left}.")
        if [first, again] != wanted:
            return wrong(f"{told} return {first!r}, and when called again {again!r}; right is {wanted[0]}.")
    return None


def sweeping(theirs):
    """Return the programs of two that push, and of two that sweep once."""

    def sweeps(node):
        theirs(node.registers, lambda value: value == "a")

    return on(pusher("a"), pusher("b"), sweeps, sweeps)


def nothing_new_is_emptied(view):
    """An invariant: each "b" that was pushed stays."""
    found = cells_of(view.registers)
    if view.done and found.count("b") != 1:
        return f"'b' is not old, and it is in the queue {found.count('b')} times"
    return len(found) <= 2 or f"two values were pushed, and {len(found)} cells were filled"


ITEMS["09-sweep"] = LockFree(
    refuses=(Queue.sweep,),
    idle=lambda run: False,
    objects=sweeps_wrongly,
    alone=lambda answer: on(lambda node: None),
    worlds=[world("Two that push and two that sweep", sweeping, nothing_new_is_emptied)],
    praise="The old cells at the front are emptied and keep their versions, also while others push and sweep.",
)
