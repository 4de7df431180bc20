"""Gap 06-after-abort: what a program does after an error within a transaction, so that it can try again."""

from ....log import Consumer, open_log
from ....log.errors import LogError
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap

RECORDS = 6
UNTOUCHED = 4  # where the consumer is at the next begin_transaction, if nothing is done about the first failure
CASES = (  # the calls of `work` that fail, from 1 on
    (2,),
    (1,),
    (3,),
    (4,),
    (1, 2, 3),
    (2, 5, 8),
)


def pipeline(consumer, producer, work):
    """Work on each record once, two in a transaction, with the position in it; after a failure, again."""
    while records := consumer.poll(2):
        producer.begin_transaction()
        try:
            for record in records:
                producer.send("output-0", [work(record.value)])
            offsets = {"readings-0": consumer.position()}
            producer.send_offsets_to_transaction(offsets, "averages")
            producer.commit_transaction()
        except ValueError:
            producer.abort_transaction()
            consumer.seek(0, records[0].offset)


def check(answer):
    """Let the work fail at several calls, and compare output and committed position with those without a failure."""
    for fails in ((), *CASES):
        when = f"work fails at call {' and '.join(map(str, fails))}" if fails else "Nothing fails"
        shown, position, refusal, waits, at = called(_left, answer, fails)
        done = [*range(10, 10 * RECORDS + 1, 10)]
        if refusal and fails == CASES[0] and at == UNTOUCHED and "begin_transaction()" in refusal[1]:
            return unsolved("your lines")
        if refusal:
            return wrong(f"{when}: {refusal[0]}. {refusal[1]}")
        if shown != done:
            lost = [value for value in done if value not in shown]
            doubled = sorted({value for value in shown if shown.count(value) > 1})
            harm = f"{_listed(lost)} missing" if lost else f"{_listed(doubled)} doubled"
            harm = harm if lost or doubled else "they are out of order"
            return wrong(f"{when}: a read_committed reader gets {shown}, and it should be {done}: {harm}.")
        if position != RECORDS:
            return wrong(f"{when}: the committed position is {position}, and all {RECORDS} records were worked on.")
        if waits:
            return wrong(f"{when}: a transaction is open at the end, and holds readers back.")
    return right(
        "Wherever the work fails, each record is in the output once and in order, and the position agrees with it."
    )


def _listed(values):
    return f"{', '.join(map(str, values))} {'is' if len(values) == 1 else 'are'}"


def _left(theirs, fails):
    """Return what one run left: (what read_committed shows, committed position, refusal, whether a transaction is
    open, where the consumer is).
    """
    log, calls, refusal = open_log("memory:", clock=lambda: 0), [0], None
    for topic in ("readings", "output"):
        log.create_topic(topic)
    log.append("readings", 0, [*range(1, RECORDS + 1)])
    producer = log.transactional_producer("averages")
    producer.init_transactions()

    def work(value):
        calls[0] += 1
        if calls[0] in fails:
            raise ValueError("the work failed")
        return 10 * value

    consumer = Consumer(log, "readings", group="averages")
    try:
        theirs(consumer, producer, work)
    except LogError as why:
        refusal = type(why).__name__, str(why)
    shown = [record.value for record in log.fetch("output", 0, 0, isolation="read_committed")]
    waits = log.last_stable("output", 0) < log.log_end("output", 0)
    return shown, log.committed_offset("averages", "readings", 0), refusal, waits, consumer.position()


GAP = Gap(
    title="after an abort",
    judge=check,
    library=pipeline,
    hints=(
        "Two things stand where they should not after the failure: a transaction is open, and the consumer is "
        "already behind records that nobody has worked on.",
        "`producer.abort_transaction()` ends the transaction. It does not move the consumer: where did these records "
        "begin?",
        "`producer.abort_transaction()`, and below it `consumer.seek(0, records[0].offset)`.",
    ),
)
