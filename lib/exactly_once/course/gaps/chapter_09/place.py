"""Gap 09-place: push at a prepared place, once or many times."""

from ....errors import OutcomeUnknown
from ....lockfree import Queue
from ....lockfree.pushers import QUEUE, exactly, placer
from ...tasks.reply import right, unsolved
from ..chapter_01.runs import untouched
from ..registry import Gap
from .common import refused


def push_at_idempotent(queue, value, index):
    """Put a value into the cell at `index`, and return whether the cell holds it now."""
    return queue.push_at(value, index) or queue.read(index) == (True, value)


class Theirs(Queue):
    """The queue with the learner's lines."""

    def __init__(self, registers, name, theirs):
        super().__init__(registers, name)
        self.theirs = theirs

    def push_at_idempotent(self, value, index):
        """Ask the learner's lines."""
        return self.theirs(Queue(self.registers, self.name), value, index)


def places(theirs, *values):
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


def check(answer):
    """Explore one pusher, then two that meet, with a crash, a lost reply, and a request that is late."""
    if untouched(answer):
        return unsolved("your lines")
    one, two = [places(answer, "a1", "a2")], [places(answer, "a"), places(answer, "b")]
    mine, both = exactly("a1", "a2"), exactly("a", "b")
    return (
        refused(one, mine, "One pusher, and nothing goes wrong: ")
        or refused(two, both, "Two pushers, and nothing goes wrong: ")
        or refused(one, mine, "One pusher that dies once: ", crashes=1)
        or refused(two, both, "Two pushers, and one reply is lost: ", lost_replies=1)
        or refused(two, both, "Two pushers, and one request is late: ", late_requests=1)
        or right("Each value is in the queue once, with one crash, one lost reply, or one late request.")
    )


GAP = Gap(
    title="push at a prepared place",
    judge=check,
    library=push_at_idempotent,
    refuses=(Queue.push_at_idempotent,),
    hints=(
        "`queue.push_at(value, index)` returns False when the cell is full. Who can have filled it?",
        "Yourself, in an earlier life or with a request that was late, or another pusher. `queue.read(index)`"
        " returns (True, what it holds). Look after you tried, not before.",
        "If `queue.push_at(value, index)`, return True. Else `found, held = queue.read(index)`, and return "
        "`held == value`.",
    ),
)
