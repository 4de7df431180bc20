"""The gaps of chapter 09: how the lines that a learner writes in it are judged."""

from functools import partial
from types import SimpleNamespace

from ...errors import OutcomeUnknown
from ...lockfree import Queue, cas, pushers
from ...lockfree.memory import Memory
from ...lockfree.pushers import QUEUE, cells_of, exactly, newest_of, placer, pusher
from ...lockfree.queue import cell, emptied
from ...lockfree.weaker import Histories
from ...node import Program
from ...pipeline import Job
from ..kinds.old_gap import gap, untouched
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import answers, called, proved
from .worlds import holding

JOB = Job(items=1)


def refused(handlers, rule, harm, **bounds):
    """Explore handlers; return None if all is right, or the `Reply` with the schedule that breaks them.

    `harm` is the beginning of the reply, before the mistake. A node that waits for another node is a mistake, too.
    """
    bounds = {"crashes": 0, "nodes": None} | bounds
    proof = proved(handlers, rule, JOB, lock_free=True, **bounds)
    if proof.counterexample is not None:
        return wrong(f"{harm}{proof.counterexample.sentence}", proof.counterexample, handlers)
    if not proof.ok:
        return wrong(f"{harm}Not all schedules could be explored: {proof.stopped}.")
    return None


# 09-again: a change that is repeated until it is known to have taken place, and takes place once.

CHANGES = (1, -1)


def adds(change, by):
    """Return a handler that makes one change with the learner's lines."""

    def handler(node):
        change(node.registers, by, f"node {node.number}")

    return handler


def number_is(wanted):
    """Return the invariant that at the end the number is `wanted`."""

    def rule(view):
        held = view.registers.get("number")
        number = held[0] if isinstance(held, list) and held else held or 0
        return not view.done or number == wanted or f"the number is {number}, and {wanted} is right"

    return rule


@gap("09-again", refuses=(cas.signing,))
def check_again(answer):
    """Explore two nodes without a fault; then one, and two, with a lost reply, a lost or late request, a crash."""
    if untouched(answer):
        return unsolved("your lines")
    one, two = [adds(answer, 1)], [adds(answer, by) for by in CHANGES]
    return (
        refused(two, number_is(0), "Two nodes, +1 and -1, and nothing is lost: ")
        or refused(one * 2, number_is(2), "Two nodes, +1 and +1, and nothing is lost: ")
        or refused(one, number_is(1), "One node, and one request is lost: ", lost_requests=1)
        or refused(one, number_is(1), "One node, and one reply is lost: ", lost_replies=1)
        or refused(two, number_is(0), "Two nodes, +1 and -1, and one reply is lost: ", lost_replies=1)
        or refused(two, number_is(0), "Two nodes, +1 and -1, and one request is late: ", late_requests=1)
        or refused(two, number_is(0), "Two nodes, +1 and -1, and one dies: ", crashes=1)
        or right("Each change is there once, with one reply lost, one request lost or late, or one crash.")
    )


# 09-goes-on: add one by compare-and-swap, so that no node waits for another.

GOES_ON_NODES = 2


def all_counted(view, first=0):
    """An invariant: at the end each node has added one to `first`, and at no moment is the number larger."""
    number, most = view.registers.get("number", first), first + GOES_ON_NODES
    wrong = number > most or (view.done and number != most)
    return not wrong or f"{GOES_ON_NODES} nodes add one each, and the number is {number}"


@gap("09-goes-on")
def check_goes_on(answer):
    """Explore two nodes that add: the number at the end, and whether one waits for the other."""
    if untouched(answer):
        return unsolved("your lines")
    from_five = [Program(answer, holding([("number", 5)]))] * GOES_ON_NODES  # its version is another number
    return (
        refused(answer, all_counted, "", nodes=GOES_ON_NODES)
        or refused(from_five, partial(all_counted, first=5), "The number is 5 at first. ")
        or right("Both are counted in every schedule of two nodes, and neither ever waits for the other.")
    )


# 09-leader: search with reads that may be stale, and ask the leader only where it matters.

FULL, LEADER_MOST = 6, 60
LAGS = (0, 1, 3, 6)  # how many cells fewer the follower knows of


class LimitedLeader(Memory):
    """Registers that answer so often, and not for ever."""

    def read(self, name):
        """Return (version, value). Raises `RuntimeError` after many reads."""
        if self.steps >= LEADER_MOST:
            raise RuntimeError(f"your lines have read {LEADER_MOST} times, and go on")
        return super().read(name)


def searched(theirs, lag):
    """Return (the index that was found, how often the leader was asked); the follower lags behind by `lag` cells."""
    leader, follower = LimitedLeader(), LimitedLeader()
    for index in range(FULL):
        leader.cells[cell(QUEUE, index)] = 1, '"x"'
        if index < FULL - lag:
            follower.cells[cell(QUEUE, index)] = 1, '"x"'
    return theirs(leader, follower), leader.steps


class Searching(Queue):
    """The queue over registers that keep their histories, whose `next_index` is the learner's."""

    def __init__(self, node, theirs):
        self.leader = Histories(node.registers)
        super().__init__(self.leader, QUEUE)
        self.follower, self.theirs = Histories(node.registers, node.choose), theirs

    def next_index(self):
        """Ask the learner's lines."""
        return self.theirs(self.leader, self.follower)


def places_leader(theirs, *values):
    """Return a handler that pushes values at places that the learner's lines find."""

    def queue_of(node):
        return Searching(node, theirs)

    return placer(*values, queue_of=queue_of)


@gap("09-leader")
def check_leader(answer):
    """Search beside followers that lag; then explore a pusher of equal values whose follower answers as it likes."""
    if untouched(answer):
        return unsolved("your lines")
    for lag in LAGS:
        index, asked = called(searched, answer, lag)
        told = f"{FULL} cells are full, and the follower knows of {FULL - lag}"
        if index != FULL:
            return wrong(f"{told}: your lines return {index!r}, and the first empty cell is {FULL}.")
        if asked > lag + 1:
            return wrong(
                f"{told}: your lines ask the leader {asked} times, and {lag + 1} would do. A cell that was filled "
                "never becomes empty again, so the follower's answer “full” needs no second question."
            )
    rule = exactly(7, 7, cells=newest_of)
    return refused([places_leader(answer, 7, 7)], rule, "A pusher of two equal values: ", crashes=1) or right(
        "No value is lost, however old the follower's answers are, and the leader is asked about few cells."
    )


# 09-once: the invariant of a queue to which two nodes push; one of the nodes may die.

MOMENTS = (  # (the cells, whether both have ended): a text is the cells in order
    ("", False), ("a", False), ("aa", False), ("aab", False), ("abab", True), ("aabb", True), ("aaab", False),
    ("aaabb", True), ("aababb", True), ("ababb", True), ("", True), ("ab", True), ("aab", True), ("abb", True),
    ("aaaab", False), ("abbbb", False), ("aaaabb", True), ("aabbbb", True), ("abba", True), ("aaba", False),
)  # fmt: skip
ONCE_NODES, ONCE_MOST = 2, 3


def is_right(cells, done):
    """Tell whether two nodes that push "a" and "b" each, one of them cut off at most once, can leave these cells."""
    return all(ONCE_NODES * done <= cells.count(value) <= ONCE_MOST for value in "ab")


@gap("09-once", refuses=(pushers.each_push_once,))
def check_once(answer):
    """Ask the invariant about moments that are right, and about others."""
    if untouched(answer):
        return unsolved("your lines")
    views = [
        SimpleNamespace(registers={f"queue.{place}": value for place, value in enumerate(cells)}, done=done)
        for cells, done in MOMENTS
    ]
    for (cells, done), (went, said) in zip(MOMENTS, answers(answer, views), strict=True):
        told = f"The cells hold {', '.join(cells) or 'nothing'}, and {'both have ended' if done else 'they go on'}"
        if not went:
            return wrong(f"{told}: your invariant fails with {said}.")
        if not isinstance(said, (bool, str)):
            return wrong(f"{told}: your invariant returns {said!r}. It returns True, or False, or a text.")
        if (said is True) != is_right(cells, done):
            return wrong(f"{told}: {_why(cells, done)}. Your invariant returns {said!r}.")
    return right(
        f"Your invariant is right at all {len(MOMENTS)} moments: it accepts those that can occur, no others."
    )


def _why(cells, done):
    for value in "ab":
        count = cells.count(value)
        if count > ONCE_MOST:
            return f"{value!r} is there {count} times, and two nodes with one crash make at most {ONCE_MOST}"
        if done and count < ONCE_NODES:
            return f"{value!r} is there {count} times, although a push of each of the two nodes has returned"
    return "this can occur"


# 09-place: push at a prepared place, once or many times.


class Theirs(Queue):
    """The queue with the learner's lines."""

    def __init__(self, registers, name, theirs):
        super().__init__(registers, name)
        self.theirs = theirs

    def push_at_idempotent(self, value, index):
        """Ask the learner's lines."""
        return self.theirs(Queue(self.registers, self.name), value, index)


def places_place(theirs, *values):
    """Return a handler that pushes values at places that it prepares and keeps, through the learner's lines."""

    def queue_of(node):
        return Theirs(node.registers, QUEUE, theirs)

    push_all = placer(*values, queue_of=queue_of)

    def handler(node):
        done = False
        while not done:
            try:
                push_all(node)
                done = True
            except OutcomeUnknown:
                pass  # the place is kept: begin with it

    return handler


@gap("09-place", refuses=(Queue.push_at_idempotent,))
def check_place(answer):
    """Explore one pusher, then two that meet, with a crash, a lost reply, and a request that is late."""
    if untouched(answer):
        return unsolved("your lines")
    one, two = [places_place(answer, "a1", "a2")], [places_place(answer, "a"), places_place(answer, "b")]
    mine, both = exactly("a1", "a2"), exactly("a", "b")
    return (
        refused(one, mine, "One pusher, and nothing goes wrong: ")
        or refused(two, both, "Two pushers, and nothing goes wrong: ")
        or refused(one, mine, "One pusher that dies once: ", crashes=1)
        or refused(two, both, "Two pushers, and one reply is lost: ", lost_replies=1)
        or refused(two, both, "Two pushers, and one request is late: ", late_requests=1)
        or right("Each value is in the queue once, with one crash, one lost reply, or one late request.")
    )


# 09-sweep: empty the old cells from the front, so that no reader takes them for cells that were never filled.

CASES = ("", "a", "aab", "aba", "b", "aaa")  # what was pushed; "a" is old
SWEEP_MOST = 50  # operations on so few cells


class LimitedSweep(Memory):
    """Registers that answer so often, and not for ever."""

    def read(self, name):
        """Return (version, value). Raises `RuntimeError` after many operations."""
        if self.steps >= SWEEP_MOST:
            raise RuntimeError(f"your lines have looked at cells {SWEEP_MOST} times, and go on")
        return super().read(name)


def swept(theirs, pushed):
    """Sweep twice; return (what the cells hold as text, the index that each returned)."""
    registers = LimitedSweep()
    for value in pushed:
        Queue(registers, QUEUE).push(value)
    registers.log.clear()
    found = theirs(registers, lambda value: value == "a")
    registers.log.clear()
    again = theirs(registers, lambda value: value == "a")
    held = []
    while registers.cells.get(cell(QUEUE, len(held))):
        held.append(Memory.read(registers, cell(QUEUE, len(held)))[1])
    return held, found, again


def sweeps(theirs):
    """Return a handler that sweeps once."""

    def handler(node):
        theirs(node.registers, lambda value: value == "a")

    return handler


def nothing_new_is_emptied(view):
    """An invariant: each "b" that was pushed stays."""
    found = cells_of(view.registers)
    if view.done and found.count("b") != 1:
        return f"'b' is not old, and it is in the queue {found.count('b')} times"
    return len(found) <= 2 or f"two values were pushed, and {len(found)} cells were filled"


@gap("09-sweep", refuses=(Queue.sweep,))
def check_sweep(answer):
    """Sweep some queues twice; then explore two that sweep while others push."""
    if untouched(answer):
        return unsolved("your lines")
    for pushed in CASES:
        wanted = len(pushed) - len(pushed.lstrip("a"))
        held, first, again = called(swept, answer, pushed)
        told = f"Pushed: {', '.join(pushed) or 'nothing'}; old is a"
        right_cells = [*map(emptied, pushed[:wanted]), *pushed[wanted:]]
        if held != right_cells:
            return wrong(f"{told}. Your lines leave {held} in the cells; right is {right_cells}.")
        if (first, again) != (wanted, wanted):
            return wrong(f"{told}. Your lines return {first!r}, and when called again {again!r}; right is {wanted}.")
    handlers = [pusher("a"), pusher("b"), sweeps(answer), sweeps(answer)]
    return refused(handlers, nothing_new_is_emptied, "Two that push and two that sweep: ") or right(
        "The old cells at the front are emptied and keep their versions, also while others push and sweep."
    )
