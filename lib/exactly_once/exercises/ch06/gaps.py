"""The gaps of chapter 06, and the judges of the lines that a learner writes there."""

import itertools
import random

from ...errors import what_failed
from ...faults import Fault, FaultPlan
from ...handlers import at_least_once
from ...handlers.stream.transactional import coordinator, transactional
from ...log import Consumer, open_log
from ...log.errors import LogError
from ...log.transactions.abstract import Store, could_show
from ...node.program import Deployment
from ...pipeline import Job
from ...simulate import simulate
from ...solutions import library_of
from ...verdict import judge
from ..kinds.by_cases import by_cases
from ..kinds.old_gap import gap
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import called

# 06-after-abort: how a program tries again after an error within a transaction.

RECORDS = 5  # a poll gives two, and the last one gives one
UNTOUCHED = 4  # the consumer's position at the next begin_transaction, if the program ignores the first failure
AFTER_ABORT_CASES = (  # the calls of `work` that fail, from 1 on
    (2,),
    (1,),
    (3,),
    (4,),
    (1, 2, 3),
    (2, 5, 8),
)


@gap("06-after-abort")
def check_after_abort(answer):
    """Let the work fail at several calls, and compare output and committed position with those without a failure."""
    for fails in ((), *AFTER_ABORT_CASES):
        when = f"work fails at call {' and '.join(map(str, fails))}" if fails else "Nothing fails"
        shown, position, refusal, waits, at = called(_left, answer, fails)
        done = [*range(10, 10 * RECORDS + 1, 10)]
        if refusal and fails == AFTER_ABORT_CASES[0] and at == UNTOUCHED and "begin_transaction()" in refusal[1]:
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
            return wrong(
                f"{when}: the committed position is {position}; after all {RECORDS} records it should be {RECORDS}."
            )
        if waits:
            return wrong(f"{when}: a transaction is open at the end, and holds readers back.")
    return right(
        "Wherever the work fails, each record is in the output once and in order, and the position agrees with it."
    )


def _listed(values):
    return f"{', '.join(map(str, values))} {'is' if len(values) == 1 else 'are'}"


def _left(theirs, fails):
    """Return the end of one run: (the values that read_committed shows, committed position, refusal, whether a
    transaction is open, the consumer's position).
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


# 06-could-show: the possible views of lagging readers on the abstract store.

NAMES = "1.1", "1.2", "2.1"  # committed in this order
STRANGER = "1.3"  # begun, and not committed


def cases():
    """Return (committed transactions, those that a reader sees) for three transactions and one uncommitted."""
    seen = [one for most in range(5) for one in itertools.product((*NAMES, STRANGER), repeat=most)]
    return [(NAMES[:number], one) for one in seen for number in range(len(NAMES) + 1)]


def why_not(committed, seen):
    """Return in a sentence why a reader may not see these transactions, or why a reader may."""
    if unknown := next((one for one in seen if one not in committed), None):
        return f"{unknown} is not committed."
    if len(set(seen)) < len(seen):
        return "A transaction is committed once, and here the reader sees one twice."
    if seen == committed[: len(seen)]:
        return "These are the first transactions, in order: readers may lag behind."
    if sorted(seen) == sorted(committed[: len(seen)]):
        return "These transactions were committed in another order."
    return "The reader misses an earlier transaction and sees a later one."


@gap("06-could-show", refuses=(could_show,))
def check_could_show(answer):
    """Ask about every view of up to three committed transactions."""
    asked = cases()
    return by_cases(
        answer,
        asked,
        lambda committed, seen: f"store.committed is {committed}, and seen is {seen}",
        _objection_could_show,
        arguments=lambda committed, seen: [Store(committed, "incarnation 2"), seen],
        fails=": your function fails with {}.",
    ) or right(f"It is right for all {len(asked):,} cases: up to three transactions committed, up to four seen.")


def _objection_could_show(committed, seen, said):
    if not isinstance(said, bool):
        return f": your function returns {said!r}. Return True or False."
    if said != could_show(Store(committed), seen):
        return f": your function returns {said}. {why_not(committed, seen)}"
    return None


# 06-shown: how a read_committed reader leaves out aborted records, by the list that the broker sends along.


def _record(offset, producer, value):
    return offset, producer, "record", value


COLD, WARM = _record(0, 7, "cold"), _record(2, 7, "warm")
SHOWN_CASES = (
    ([COLD, (1, 7, "commit", None)], [], "Nothing was aborted."),
    ([COLD, (1, 7, "abort", None)], [(7, 0)], "The one transaction was aborted."),
    (
        [COLD, (1, 7, "abort", None), WARM, (3, 7, "commit", None)],
        [(7, 0)],
        "Producer 7 aborted its first transaction and committed the next one: records are hidden up to the abort "
        "marker.",
    ),
    (
        [COLD, (1, 7, "commit", None), WARM, (3, 7, "abort", None)],
        [(7, 2)],
        "Producer 7 aborted its transaction from offset 2 on; its records before that were committed.",
    ),
    (
        [COLD, _record(1, 8, "mild"), WARM, (3, 7, "abort", None), _record(4, 8, "hot"), (5, 8, "commit", None)],
        [(7, 0)],
        "The transaction of producer 7 was aborted; that of producer 8, which overlaps it, was not.",
    ),
    (
        [_record(5, 7, "cold"), (6, 7, "abort", None), _record(7, None, "mild")],
        [(7, 3)],
        "The reader begins in the middle of an aborted transaction: it began at offset 3, and the first entry here "
        "is at offset 5.",
    ),
    (
        [COLD, _record(1, 8, "mild"), (2, 8, "abort", None), _record(3, 7, "warm"), (4, 7, "abort", None)],
        [(7, 0), (8, 1)],
        "Both transactions were aborted, and the marker of producer 8 says nothing of producer 7.",
    ),
    (
        [COLD, _record(1, 8, "mild"), (2, 8, "commit", None)],
        [(7, 0)],
        "The entries end before the marker of the aborted transaction: only the list says that it was aborted.",
    ),
)


def drawn(seed):
    """Return entries and the list of the aborted, drawn by a seed: three producers, and one without transactions.

    The entries begin somewhere in the log, as those of a fetch do.
    """
    draw, entries, opened, aborted = random.Random(seed), [], {}, []
    while len(entries) < 14 or opened:
        offset, producer = len(entries), draw.choice((None, 7, 8, 9))
        if producer in opened and (draw.random() < 0.5 or len(entries) >= 14):
            kind = draw.choice(("commit", "abort"))
            first = opened.pop(producer)
            if kind == "abort":
                aborted.append((producer, first, offset))
            entries.append((offset, producer, kind, None))
        elif len(entries) < 14:
            if producer is not None:
                opened.setdefault(producer, offset)
            entries.append((offset, producer, "record", f"value {offset}"))
    start = draw.randrange(5)
    listed = sorted((first, producer) for producer, first, marker in aborted if marker >= start)
    return entries[start:], [(producer, first) for first, producer in listed]


@gap("06-shown")
def check_shown(answer):
    """Ask about eight portions of a log, and about fifty drawn ones."""
    cases = [*SHOWN_CASES, *((*drawn(seed), "This portion was drawn by chance.") for seed in range(50))]
    return by_cases(
        answer,
        cases,
        lambda entries, aborted, _: f"shown({entries}, {aborted})",
        _objection_shown,
        arguments=lambda entries, aborted, _: [list(entries), list(aborted)],
        nothing=(None, ..., []),
    ) or right("It shows the committed records, in eight portions of a log and in fifty drawn by chance.")


def _objection_shown(entries, aborted, why, said):
    wanted = library_of("06-shown")(entries, aborted)
    if isinstance(said, (list, tuple)) and list(said) == wanted:
        return None
    return f" returns {said!r}; it should return {wanted}. {why}"


# 06-surplus: by how much a fault leaves the counter too high, when all other writes are in one transaction.

DEPLOYED = Deployment(transactional, coordinator, at_least_once)
ITEM, RIGHT = 3, 4  # an hour above the threshold, and the counter of a run without faults
NONE = {"lost request": 0, "lost reply": 0, "crash before": 0, "crash after": 0}
SURPLUS = {
    "transaction.send": NONE,
    "database.increment": NONE | {"lost reply": 1, "crash after": 1},
    "transaction.offsets": NONE | {"crash before": 1, "crash after": 1},
    "transaction.end": NONE | {"crash before": 1},
}


@gap("06-surplus")
def check_surplus(answer):
    """Ask for each step and each kind of fault; a run shows the mistake."""
    cases = [(step, kind) for step in SURPLUS for kind in SURPLUS[step]]
    praise = "Your count agrees with the runs in all sixteen cases."
    return by_cases(answer, cases, _asked_surplus, _objection_surplus) or right(praise)


def _asked_surplus(step, kind):
    return f"surplus({step!r}, {kind!r})"


def _objection_surplus(step, kind, said):
    if said == SURPLUS[step][kind]:
        return None
    run = simulate(DEPLOYED, FaultPlan([Fault(step, ITEM, kind)]))
    return wrong(
        f"{_asked_surplus(step, kind)} returns {said!r}. In this run, with that fault at hour {ITEM}, the counter is "
        f"{run.outcome.counter}, and without it {RIGHT}.",
        run,
    )


# 06-together: the handler of chapter 04, with output, state and positions in one transaction.

JOB, HOUR = Job(items=3, duration=2, threshold=2), 2  # the first hour is not above the threshold, the second is
KILLS = (
    ("transaction.send", "crash after"),
    ("database.increment", "crash after"),
    ("transaction.offsets", "crash after"),
    ("transaction.end", "crash before"),
    ("transaction.end", "crash after"),
)


@gap("06-together", refuses=(transactional,))
def check_together(answer):
    """Compare a calm run with the article's handler; then kill it after each write, and around the commit."""
    programs = Deployment(answer, coordinator, at_least_once).programs(JOB)
    run = called(simulate, programs, FaultPlan(), JOB)
    asked = {event.text for event in run.trace if event.kind == "send" and event.process == "incarnation 1"}
    if not any(text.startswith(("append", "send offsets", "increment")) for text in asked):
        return unsolved("your lines")
    if run.error:
        return wrong(f"With nothing killed, your handler fails: {what_failed(run.error)}", run, programs)
    verdict = judge(run, answer, reference=at_least_once)
    if not verdict.exactly_once:
        return wrong(
            f"With nothing killed, the result differs from the article's handler. {verdict.sentence}",
            verdict,
            programs,
        )
    for step, kind in KILLS:
        run = called(simulate, programs, FaultPlan([Fault(step, HOUR, kind)]), JOB)
        verdict = judge(run, answer, reference=at_least_once)
        harm = verdict.damage
        surplus = harm.counter - harm.expected_counter
        most = 0 if (step, kind) == KILLS[-1] else 1
        if run.error or harm.outputs or harm.state_differs or harm.positions_differ or not 0 <= surplus <= most:
            return wrong(f"Killed at hour {HOUR}, {kind.split()[1]} {step}. {verdict.sentence}", verdict, programs)
    return right(
        "Output, state and positions are right wherever the handler is killed in this hour, in five runs; the "
        "counter is one too high where the hour is done again."
    )
