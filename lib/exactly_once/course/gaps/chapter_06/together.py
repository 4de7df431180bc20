"""Gap 06-together: the handler of chapter 04, with output, state and positions in one transaction."""

from ....errors import what_failed
from ....faults import Fault, FaultPlan
from ....handlers import at_least_once
from ....handlers.stream.transactional import coordinator, transactional
from ....node.access.transactions import CHANGELOG, GROUP, OUTPUT
from ....node.program import Deployment
from ....pipeline import Job
from ....simulate import simulate
from ....verdict import judge
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap

JOB, HOUR = Job(items=2, duration=2, threshold=2), 2  # the first hour is not above the threshold, the second is
KILLS = (
    ("transaction.send", "crash after"),
    ("database.increment", "crash after"),
    ("transaction.offsets", "crash after"),
    ("transaction.end", "crash before"),
    ("transaction.end", "crash after"),
)


def together(node):
    """Write output, state and positions in one transaction for each hour; the counter is in another system."""
    producer = node.transactions.producer("averages")
    producer.init_transactions()
    positions = node.transactions.positions()
    window = node.transactions.state()
    while node.running(positions):
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        producer.begin_transaction()
        producer.send(OUTPUT, [window.average()])
        if len(window) > node.threshold:
            node.database.increment()
        producer.send(CHANGELOG, [window])
        producer.send_offsets_to_transaction(next_positions, GROUP)
        producer.commit_transaction()
        positions = next_positions


def check(answer):
    """Compare a calm run with the article's handler; then kill it after each write, and around the commit."""
    programs = Deployment(answer, coordinator, at_least_once).programs(JOB)
    run = called(simulate, programs, FaultPlan(), JOB)
    asked = {event.text for event in run.trace if event.kind == "send" and event.process == "life 1"}
    if not any(text.startswith(("append", "send offsets", "increment")) for text in asked):
        return unsolved("your lines")
    if run.error:
        return wrong(f"With nothing killed, your handler fails: {what_failed(run.error)}", run, programs)
    verdict = judge(run, answer, reference=at_least_once)
    if not verdict.exactly_once:
        return wrong(f"With nothing killed, not all is as it was. {verdict.sentence}", verdict, programs)
    for step, kind in KILLS:
        run = called(simulate, programs, FaultPlan([Fault(step, HOUR, kind)]), JOB)
        verdict = judge(run, answer, reference=at_least_once)
        harm = verdict.damage
        surplus = harm.counter - harm.expected_counter
        most = 0 if (step, kind) == KILLS[-1] else 1
        if run.error or harm.outputs or harm.state_differs or harm.positions_differ or not 0 <= surplus <= most:
            return wrong(f"Killed at hour {HOUR}, {kind.split()[1]} {step}. {verdict.sentence}", verdict, programs)
    return right(
        "Output, state and positions are right wherever it is killed in this hour, in five runs; the counter is one "
        "too high where the hour is done again."
    )


GAP = Gap(
    title="one transaction for each hour",
    judge=check,
    library=together,
    refuses=(transactional,),
    hints=(
        "Three of the four writes are records of the log. Which call of the producer stands for each of them, and "
        "which call makes them count?",
        "`producer.send(OUTPUT, […])` takes the average, `producer.send(CHANGELOG, […])` the window, "
        "`producer.send_offsets_to_transaction(…, GROUP)` the positions; the last call is "
        "`producer.commit_transaction()`.",
        "`producer.send(OUTPUT, [window.average()])`; `if len(window) > node.threshold: node.database.increment()`; "
        "`producer.send(CHANGELOG, [window])`; `producer.send_offsets_to_transaction(next_positions, GROUP)`; "
        "`producer.commit_transaction()`.",
    ),
)
