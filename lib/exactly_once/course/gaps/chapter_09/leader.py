"""Gap 09-leader: search with reads that may be stale, and ask the leader only where it matters."""

from ....lockfree import Queue
from ....lockfree.memory import Memory
from ....lockfree.pushers import QUEUE, exactly, newest_of, placer
from ....lockfree.queue import EMPTY, cell
from ....lockfree.weaker import Histories
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..chapter_01.runs import untouched
from ..registry import Gap
from .common import refused

FULL, MOST = 6, 60
LAGS = (0, 1, 3, 6)  # how many cells fewer the follower knows of


def empty_index(leader, follower):
    """Return the index of a cell that is empty at the leader: skip what the follower knows, then ask the leader."""
    index = 0
    while follower.read(cell("queue", index))[0] != EMPTY:
        index += 1
    while leader.read(cell("queue", index))[0] != EMPTY:
        index += 1
    return index


class Limited(Memory):
    """Registers that answer so often, and not for ever."""

    def read(self, name):
        """Return (version, value). Raises `RuntimeError` after many reads."""
        if self.steps >= MOST:
            raise RuntimeError(f"your lines have read {MOST} times, and go on")
        return super().read(name)


def searched(theirs, lag):
    """Return (the index that was found, how often the leader was asked); the follower lags behind by `lag` cells."""
    leader, follower = Limited(), Limited()
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


def places(theirs, *values):
    """Return a handler that pushes values at places that the learner's lines find."""

    def queue_of(node):
        return Searching(node, theirs)

    return placer(*values, queue_of=queue_of)


def check(answer):
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
                f"{told}: your lines ask the leader {asked} times, and {lag + 1} would do. A cell that was full at "
                "some time is full for ever, so the follower's word is enough for that."
            )
    rule = exactly(7, 7, cells=newest_of)
    return refused([places(answer, 7, 7)], rule, "A pusher of two equal values: ", crashes=1) or right(
        "No value is lost, however old the follower's answers are, and the leader is asked about few cells."
    )


GAP = Gap(
    title="ask the leader where it matters",
    judge=check,
    library=empty_index,
    hints=(
        "A follower tells of an earlier moment. Which of its two answers, full or empty, can be out of date?",
        "A cell never becomes empty again, so 'full' is still true. 'Empty' may be old: there the leader has "
        "to be asked, and from there on only the leader.",
        'Two loops over one `index`, each `while ….read(cell("queue", index))[0] != EMPTY: index += 1`: the '
        "first reads from `follower`, the second from `leader`. Then `return index`.",
    ),
)
