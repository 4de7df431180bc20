"""The gaps of chapter 06: an abort, a reader's view, and one transaction for each hour."""

import itertools
import random

from ...exercises.kinds.compared import Compared
from ...exercises.kinds.proved import Proved, World
from ...exercises.kinds.reply import wrong
from ...exercises.kinds.run_answer import called
from ...faults import Fault, FaultPlan
from ...handlers import at_least_once
from ...handlers.stream.transactional import coordinator, transactional
from ...log import Consumer, open_log
from ...log.errors import LogError
from ...log.transactions.abstract import Store, could_show
from ...node.program import deployed_with
from ...pipeline import Job
from ...simulate import simulate
from ...verdict import judge

ITEMS: dict = {}  # {name: item}

# 06-after-abort: how a program tries again after an error within a transaction.

RECORDS = 5  # a poll gives two, and the last one gives one


def run_with_failures(pipeline, fails):
    """Run a pipeline whose work fails at some calls; return what is left, or None if it ignores the first failure."""
    log, calls = open_log("memory:", clock=lambda: 0), itertools.count(1)
    for topic in ("readings", "output"):
        log.create_topic(topic)
    log.append("readings", 0, [*range(1, RECORDS + 1)])
    producer = log.transactional_producer("averages")
    producer.init_transactions()

    def work(value):
        if next(calls) in fails:
            raise ValueError("the work failed")
        return 10 * value

    consumer = Consumer(log, "readings", group="averages")
    try:
        pipeline(consumer, producer, work)
    except LogError as why:
        ignored = min(RECORDS, 4 + (fails[0] - 1) // 2 * 2)  # where two polls in a row lead to
        if "begin_transaction()" in str(why) and consumer.position() == ignored:
            return None
        raise
    return {
        "shown to read_committed": [record.value for record in log.fetch("output", 0, 0, isolation="read_committed")],
        "committed position": log.committed_offset("averages", "readings", 0),
        "a transaction is open": log.last_stable("output", 0) < log.log_end("output", 0),
    }


ITEMS["06-after-abort"] = Compared(
    cases=[((2,),), ((1,),), ((3,),), ((4,),), ((1, 2, 3),), ((2, 5, 8),)],
    ask=run_with_failures,
    told=lambda fails: f"Where work fails at call {', '.join(map(str, fails))}, a run of pipeline",
    praise="Wherever the work fails, each record is in the output once and in order, and the position agrees "
    "with it.",
)

# 06-could-show: the possible views of lagging readers on the abstract store.

NAMES, STRANGER = ("1.1", "1.2", "2.1"), "1.3"  # committed in this order; begun, and not committed


def ask_store(answer, committed, seen):
    """Ask about a store with these transactions committed."""
    return answer(Store(committed, "incarnation 2"), seen)


ITEMS["06-could-show"] = Compared(
    cases=[
        (NAMES[:number], seen)
        for most in range(5)
        for seen in itertools.product((*NAMES, STRANGER), repeat=most)
        for number in range(len(NAMES) + 1)
    ],
    ask=ask_store,
    refuses=(could_show,),
    told=lambda committed, seen: f"With store.committed = {committed}, could_show(store, {seen})",
    why="readers see the first of these transactions, in order, and may lag behind",
    praise="It is right for all {count} cases: up to three transactions committed, up to four seen.",
)

# 06-shown: how a read_committed reader leaves out aborted records, by the list that the broker sends along.

COLD, MILD, WARM = (0, 7, "record", "cold"), (1, 8, "record", "mild"), (2, 7, "record", "warm")


def drawn_by_chance(seed):
    """Return entries and the list of the aborted: three producers, and one without transactions.

    The entries begin somewhere in the log, as those of a fetch do.
    """
    draw, entries, opened, aborted = random.Random(seed), [], {}, []
    while len(entries) < 14 or opened:
        offset, producer = len(entries), draw.choice((None, 7, 8, 9))
        if producer in opened and (draw.random() < 0.5 or len(entries) >= 14):
            kind = draw.choice(("commit", "abort"))
            aborted += [(offset, opened[producer], producer)] if kind == "abort" else []
            del opened[producer]
            entries.append((offset, producer, kind, None))
        elif len(entries) < 14:
            if producer is not None:
                opened.setdefault(producer, offset)
            entries.append((offset, producer, "record", f"value {offset}"))
    start = draw.randrange(5)
    listed = sorted((first, producer) for marker, first, producer in aborted if marker >= start)
    return entries[start:], [(producer, first) for first, producer in listed]


ITEMS["06-shown"] = Compared(
    cases=(
        ([COLD, (1, 7, "commit", None)], []),
        ([COLD, (1, 7, "abort", None)], [(7, 0)]),
        ([COLD, (1, 7, "abort", None), WARM, (3, 7, "commit", None)], [(7, 0)]),
        ([COLD, (1, 7, "commit", None), WARM, (3, 7, "abort", None)], [(7, 2)]),
        ([COLD, MILD, WARM, (3, 7, "abort", None), (4, 8, "record", "hot"), (5, 8, "commit", None)], [(7, 0)]),
        ([(5, 7, "record", "cold"), (6, 7, "abort", None), (7, None, "record", "mild")], [(7, 3)]),
        ([COLD, MILD, (2, 8, "abort", None), (3, 7, "record", "warm"), (4, 7, "abort", None)], [(7, 0), (8, 1)]),
        ([COLD, MILD, (2, 8, "commit", None)], [(7, 0)]),
        *map(drawn_by_chance, range(50)),
    ),
    nothing=(None, ..., []),
    praise="It shows the committed records, in eight portions of a log and in fifty drawn by chance.",
)

# 06-surplus: by how much a fault leaves the counter too high, when all other writes are in one transaction.

ITEM, RIGHT = 3, 4  # an hour above the threshold, and the counter of a run without faults
STEPS = ("transaction.send", "database.increment", "transaction.offsets", "transaction.end")


def agrees(said, step, kind):
    """Perform the run with this fault, and compare."""
    run = simulate(transactional, FaultPlan([Fault(step, ITEM, kind)]))
    if said == run.outcome.counter - RIGHT:
        return None
    return wrong(
        f"surplus({step!r}, {kind!r}) returns {said!r}. In this run, with that fault at hour {ITEM}, the counter is "
        f"{run.outcome.counter}, and without it {RIGHT}.",
        run,
        transactional,
    )


ITEMS["06-surplus"] = Compared(
    cases=[*itertools.product(STEPS, ("lost request", "lost reply", "crash before", "crash after"))],
    rule=agrees,
    praise="Your count agrees with the runs in all sixteen cases.",
)

# 06-together: the handler of chapter 04, with output, state and positions in one transaction.

JOB, HOUR = Job(items=3, duration=2, threshold=2), 2  # the first hour is not above the threshold, the second is
WRITES = ("append", "send offsets", "increment")


def deployed(answer):
    """Return the handler, marked to run with the coordinator that carries out its decisions."""
    return deployed_with(coordinator, at_least_once)(answer)


def writes_nothing(run):
    """Tell whether the handler writes nothing yet."""
    return not any(event.kind == "send" and event.text.startswith(WRITES) for event in run.trace)


def differs(answer, run):
    """Return the reply to a handler whose calm run, or run with a kill behind the commit, differs from the article's.

    Only these two leave the right counter; the proof asks nothing of it.
    """
    killed = called(simulate, deployed(answer), FaultPlan([Fault("transaction.end", HOUR, "crash after")]), JOB)
    for found, when in ((run, "With nothing killed"), (killed, f"Killed right behind the commit of hour {HOUR}")):
        verdict = judge(found, answer, reference=at_least_once)
        if not verdict.exactly_once:
            said = f"{when}, the result differs from the article's handler. {verdict.sentence}"
            return wrong(said, verdict, deployed(answer))
    return None


ITEMS["06-together"] = Proved(
    worlds=[World("Killed once, anywhere", deployed, None, {"crashes": 1, "counter": False}, JOB)],
    idle=writes_nothing,
    objects=differs,
    refuses=(transactional,),
    praise="Output, state and positions are right wherever the handler is killed ({states} states); the counter is "
    "one too high where the hour is done again.",
)
