"""Gap 10-database: the index and the effect in one transaction of the database."""

from ....handlers.stream.offset_in_sink import INDEX, QUEUE, counter_sink
from ....node import Program
from ....node.world import DATABASE
from ...tasks.chapter_10.form import filled
from ...tasks.reply import right, unsolved
from ..chapter_01.runs import untouched
from ..registry import Gap
from .common import refused

MESSAGES = [7, 8]


def apply_message(database, version, index):
    """Apply the message at `index`; `version` is the index's, as it was read. Nothing, if it is out of date."""
    database.transact(("cas", "index", version, index + 1), ("add", "counter", 1))


def sink(apply):
    """Return the database's handler with the learner's lines: it reads the index, then a message, and applies it."""

    def sink(node):
        version, index = node.database.read(INDEX)
        while node.running():
            node.read({QUEUE: index or 0})
            apply(node.database, version, index or 0)
            version, index = node.database.read(INDEX)

    return sink


def as_the_index(view):
    """An invariant: the counter is at every moment the index, so each message counts once; in the end all have."""
    index, counter = view.look(DATABASE, INDEX, "cell") or 0, view.counter
    if counter != index:
        return f"the index says that {index} messages were applied, and the counter is {counter}"
    return not view.done or index == len(MESSAGES) or f"of {len(MESSAGES)} messages {index} were applied"


def check(answer):
    """Explore one database node, with faults; then two at once."""
    if untouched(answer):
        return unsolved("your lines")
    one = Program(sink(answer), filled(**{QUEUE: MESSAGES}))
    return (
        refused([one], as_the_index, "One node, and nothing goes wrong: ")
        or refused([one], as_the_index, "One node, and one crash: ", crashes=1)
        or refused([one] * 2, as_the_index, "Two nodes at once: ")
        or refused([one] * 2, as_the_index, "Two nodes at once, and one request is late: ", late_requests=1)
        or right("Counter and index move together or not at all, whoever dies, and with a twin beside.")
    )


GAP = Gap(
    title="index and effect in one transaction",
    judge=check,
    library=apply_message,
    refuses=(counter_sink,),
    hints=(
        "Two things change: the counter and the index. What does a life find that follows one which died in between?",
        "`database.transact(…)` carries out several operations, all or none: an operation is a tuple, such as "
        '`("add", "counter", 1)`. If a twin has moved the index meanwhile, none of them may be carried out.',
        'The operations are `("cas", "index", version, index + 1)`, which refuses all if the version is another, and '
        '`("add", "counter", 1)`.',
    ),
)
