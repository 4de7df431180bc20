"""Gap 02-send: put a record with a key into the partition where it belongs."""

import copy

from .... import show
from ....log import partition_for
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap

SENT = (("ann", "tea"), ("bob", "coffee"), ("ann", "cake"), ("bob", "milk"), ("dora", "juice"))
SIZES = (3, 2, 1)


def send(topic, key, value):
    """Put a record into its key's partition. Returns (partition, offset)."""
    partition = partition_for(key, len(topic))
    topic[partition].append((key, value))
    return partition, len(topic[partition]) - 1


def played(sends, partitions):
    """Return what `sends` answers to each record, and the topic after each."""
    topic, told = [[] for _ in range(partitions)], []
    for key, value in SENT:
        answer = sends(topic, key, value)
        told.append((answer, copy.deepcopy(topic)))
    return told


def check(answer):
    """Send the same records through the learner's lines and through the library's."""
    found = {size: called(played, answer, size) for size in SIZES}
    if all(said is None and not any(topic) for told in found.values() for said, topic in told):
        return unsolved("your lines")
    for size in SIZES:
        for (said, topic), (should, right_topic), (key, value) in zip(
            found[size], played(send, size), SENT, strict=True
        ):
            if sentence := objection(said, topic, should, right_topic, key, value, size):
                return wrong(sentence, picture=drawn(topic))
    return right("Equal keys go to one partition, and stand there in the order in which they came.")


def objection(said, topic, should, right_topic, key, value, size):
    """Return what is wrong after one record, or None."""
    where = [number for number, log in enumerate(topic) if (key, value) in log]
    what = f"With {size} partitions, ({key!r}, {value!r})"
    if not where:
        return f"{what} is in no partition. Add the pair (key, value) to a log; here is what is there."
    if where != [should[0]]:
        there = ", ".join(map(str, where))
        return (
            f"{what} is in partition {there}. partition_for({key!r}, {size}) is {should[0]}: it belongs there alone."
        )
    if topic != right_topic:
        return f"{what} does not stand at the end of its log. A log grows at its end, and nothing else in it changes."
    if not isinstance(said, (tuple, list)) or tuple(said) != should:
        return (
            f"{what} is in its place, and the function returns {said!r}. Return {should}: the partition, and the "
            "offset, which is counted from 0."
        )
    return None


def drawn(topic):
    """Return the picture of a topic."""
    return show.log({f"partition {number}": list(map(tuple, log)) for number, log in enumerate(topic)})


GAP = Gap(
    title="put a record into its key's partition",
    judge=check,
    library=send,
    hints=(
        "How many partitions are there? The topic is a list of logs, one for each.",
        "`partition_for(key, len(topic))` is the number of the log. A log is a list: `append` adds to its end.",
        "The offset of what was added last is the length of its log, less one.",
    ),
)
