"""Gap 02-to-commit: which positions a consumer has to commit when some of its records are done."""

from .... import show
from ....log import Consumer, Producer, open_log
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap

SENT = (("ann", "tea"), ("bob", "coffee"), ("ann", "cake"), ("bob", "milk"), ("ann", "scone"), ("bob", "juice"))
CASES = ((0, 1), (0, 2), (0, 6), (0, 5), (0, 0), (2, 4), (3, 4))  # records committed before, and done by now


def to_commit(done):
    """Return {partition: offset of the next record} for records whose work is done."""
    return {record.partition: record.offset + 1 for record in done}


def orders():
    """Return a log of orders in three partitions."""
    log = open_log("memory:")
    log.create_topic("orders", partitions=3)
    producer = Producer(log)
    for key, value in SENT:
        producer.send("orders", value, key=key)
    return log


def polled(cases=CASES):
    """Return the records whose work is done now in each case."""
    reader = Consumer(orders(), "orders")
    records = reader.poll()
    return [records[before:done] for before, done in cases]


def answers(function, lists):
    """Return what a function says of each list."""
    return [function(done) for done in lists]


def check(answer):
    """Commit what the learner's lines say, and let a successor read on."""
    lists = polled()
    told = called(answers, answer, lists)
    if all(said is None for said in told):
        return unsolved("your lines")
    for (before, _), done, said in zip(CASES, lists, told, strict=True):
        if reply := objection(polled([(0, before)])[0], done, said):
            return reply
    return right("A successor begins with the first record that is not done, in each partition.")


def objection(before, done, said):
    """Return the reply to one wrong answer, or None: what a successor reads after it is looked at.

    `before` are the records whose positions the group had committed already.
    """
    values, finished = ([record.value for record in records] for records in (done, [*before, *done]))
    if not isinstance(said, dict) or not all(type(each) is int for each in [*said, *said.values()]):
        return wrong(f"For the records {values} it returns {said!r}; return a dictionary from partition to offset.")
    log = orders()
    if unknown := [partition for partition in said if partition not in range(3)]:
        return wrong(f"For the records {values} it names partition {unknown[0]}; there are 0, 1 and 2.")
    for partition, offset in said.items():
        if not 0 <= offset <= log.log_end("orders", partition):
            return wrong(
                f"It commits offset {offset} of partition {partition}, which is not there.", picture=show.log(log)
            )
    for positions in filter(None, (to_commit(before), said)):
        Consumer(log, "orders", group="kitchen").commit(positions)
    successor = Consumer(log, "orders", group="kitchen")
    picture = show.log(log, readers={"successor": successor.positions})
    again = [record.value for record in successor.poll()]
    earlier = f"Committed before: {', '.join(record.value for record in before)}. " if before else ""
    story = f"{earlier}Done: {', '.join(values) or 'nothing'}. The successor"
    left = [value for _, value in SENT if value not in finished]
    if twice := [value for value in finished if value in again]:
        return wrong(f"{story} reads {twice[0]} again: your lines commit {_commits(said)}.", picture=picture)
    if lost := [value for value in left if value not in again]:
        return wrong(f"{story} skips {lost[0]}: your lines commit {_commits(said)}.", picture=picture)
    return None


def _commits(said):
    return ", ".join(f"offset {offset} of partition {number}" for number, offset in said.items()) or "nothing"


GAP = Gap(
    title="which positions to commit when some records are done",
    judge=check,
    library=to_commit,
    hints=(
        "A position is the offset of the *next* record that a reader wants, not of the last that it had.",
        "`record.partition` and `record.offset` say where a record stands. Each partition has a position of its own.",
        "Of several records of one partition the last counts. In a dictionary a later entry replaces an earlier one.",
    ),
)
