"""The exercises of chapter 06: fencing, isolation levels, the coordinator's memory, and what an application calls."""

import itertools
import random
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import pandas as pd

from ... import show as drawing
from ...exercises.kinds.compared import Compared, shortly
from ...exercises.kinds.kind import called
from ...exercises.kinds.mistakes import answer_with
from ...exercises.kinds.proved import Proved, World
from ...exercises.kinds.reply import wrong
from ...faults import Fault, FaultPlan
from ...handlers import at_least_once
from ...handlers.stream.transactional import coordinator, transactional
from ...log import Consumer, open_log
from ...log.log_errors import LogError
from ...log.transactions import rules
from ...log.transactions.abstract import Store, could_show
from ...log.transactions.coordinator import Coordinator
from ...node.program import deployed_with
from ...pipeline import Job
from ...simulate import simulate
from ...verdict import judge

ITEMS: dict = {}  # {name: item}

# 06a: with which epoch three requests are accepted, and where.

WHY_JUDGED = {
    "append": "a leader hears of epochs by the batches and markers that come to it: an older one than it has seen is "
    "a zombie's, any other may write",
    "add": "the coordinator gives the epochs out, so it knows the newest one exactly, or nothing of the producer",
    "marker": "each end of a transaction raises the epoch, so its marker is newer than the open records here",
}


ITEMS["06a"] = Compared(
    form="a function of a request, its epoch and the epoch that is known",
    cases=(  # the request, the epoch that it carries, the epoch that is known where it arrives
        *(("append", 0, 0), ("add", 0, 0), ("marker", 1, 0)),
        *(("append", 0, 1), ("append", 1, 0), ("append", 0, None)),
        *(("add", 0, 1), ("add", 1, 0), ("add", 0, None)),
        *(("marker", 0, 0), ("marker", 0, 1), ("marker", 1, None)),
        *(("append", 5, 2), ("append", 4, 5), ("append", 7, 7)),
        *(("add", 4, 5), ("add", 7, 5), ("add", 7, 7), ("add", 7, None)),
        *(("marker", 5, 2), ("marker", 5, 5), ("marker", 4, 5)),
    ),
    shown=(("append", 0, 0), ("add", 0, 0), ("marker", 1, 0), ("append", 0, 1)),
    why=lambda said, right, request, epoch, known: WHY_JUDGED[request],
    praise="Three requests, three comparisons. The coordinator gives the epochs out and knows the newest one "
    "exactly. A partition's leader knows only the epochs that came to it, so it refuses older ones and learns from "
    "newer ones. And a marker must be newer than the data that it ends.",
)

# 06b: the last stable offset of a log, and what read_committed shows below it.

LONGEST, TEXTS = 4, ("tea", "milk", "sugar", "cake")
EXAMPLE = [
    ("data", "a", "tea"),
    ("data", None, "tea"),
    ("data", "b", "sugar"),
    ("abort", "a", None),
    ("data", "a", "cake"),
    ("commit", "b", None),
    ("data", "b", "salt"),
    ("commit", "a", None),
]


def logs() -> list[list[tuple]]:
    """Return every log of up to four entries, the shortest first; a is the first producer, and b the second."""
    found: list[list[tuple]] = [[]]
    for log in found:
        if len(log) == LONGEST:
            break
        seen = {producer for _, producer, _ in log} - {None}
        opened = {one for one in seen if [kind for kind, producer, _ in log if producer == one][-1] == "data"}
        writers = (None, "a", "b") if seen else (None, "a")
        found += [[*log, ("data", producer, TEXTS[len(log)])] for producer in writers]
        found += [[*log, (end, producer, None)] for producer in sorted(opened) for end in ("commit", "abort")]
    return found


def draw_log(said: Any, log: list[tuple[str, ...]], high: int) -> Any:
    """Draw a log, and what an answer says of it."""
    signs = {"commit": "■ commit", "abort": "✗ abort"}
    tape = [(producer or "–", signs.get(kind, value)) for kind, producer, value in log]
    picture = drawing.log({"the log": tape}, {"high watermark": high})
    line = "" if said is None else f"Yours: {shortly(said)}"
    return drawing.Picture(f"{picture.fragment()}<p><b>{line}</b></p>", text=f"{picture.table.to_string()}\n{line}")


def why_seen(said: object, right: tuple, log: list, high: int) -> str:
    """Say which of the two parts of an answer is wrong."""
    if not isinstance(said, (tuple, list)) or len(said) != 2:
        return "return a pair, the last stable offset and the list of values"
    if said[0] != right[0]:
        return (
            "the last stable offset is the smallest of the high watermark and the first offsets of all transactions "
            "without a marker below it"
        )
    return "a reader gets each record below it that is committed, or of no transaction, in the order of the offsets"


ITEMS["06b"] = Compared(
    form="a function of a log and its high watermark",
    cases=lambda: [*((log, high) for log in logs() for high in range(len(log) + 1)), (EXAMPLE, 7)],
    drawn=draw_log,
    why=why_seen,
    praise="Your function agrees with the broker on all {count} logs. Below the last stable offset everything is "
    "decided, so a reader needs only the list of aborted transactions. And one open transaction holds back the "
    "records of all producers behind its first one.",
)

# 06d: what a new coordinator does next, by its log.

NOW, TIMEOUT = 100_000, 60_000
LOGS = """
0 init pay
0 init pay, 90000 add pay output-0
0 init pay, 40000 add pay output-0
0 init pay, 1000 add pay output-0
0 init pay, 1 add pay output-0, 2 end pay commit, 3 complete pay
0 init pay, 1 add pay output-0, 2 end pay abort, 3 complete pay
0 init pay, 1 add pay output-0, 2 add pay output-1 __consumer_offsets-0, 3 end pay commit, 4 complete pay, \
5 add pay output-1, 95000 end pay abort
0 init pay, 1 end pay abort, 2 complete pay
0 init old, 1 init pay, 2 forget old
0 init old, 1 add old output-0, 2 end old commit, 3 complete old, 4 forget old, 5 init old
0 init pay, 1 init quick 10000, 2 init bill, 3 add pay output-0 __consumer_offsets-0, 80000 add quick output-1, \
81000 add bill output-0, 82000 end pay commit, 83000 end bill abort, 84000 complete bill, \
85000 add bill output-0 output-1, 86000 complete pay, 87000 end quick commit
""".strip().split("\n")  # the smallest that shows a mistake stands first


class Kept(dict):
    """A coordinator's memory, and every record that it writes; a record is (id, `Transaction` or None)."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[tuple] = []
        self.new_producer_id = iter(range(7, 100)).__next__

    def __setitem__(self, name: str, transaction: Any) -> None:
        self.records.append((name, transaction))
        super().__setitem__(name, transaction)

    def __delitem__(self, name):
        self.records.append((name, None))
        super().__delitem__(name)


def log_of(line: str) -> list[tuple]:
    """Return the log of the course's coordinator after the requests in a line of `LOGS`."""
    kept, time, mine = Kept(), [0], {}
    coordinator = Coordinator(kept, lambda: time[0])
    for request in line.split(", "):
        at, what, name, *more = request.split()
        time[0] = int(at)
        if what == "init":
            mine[name] = coordinator.init_producer(name, int(more[0]) if more else TIMEOUT)
        elif what == "add":
            coordinator.add_partitions(name, *mine[name], more)
        elif what == "end":
            mine[name] = coordinator.end(name, *mine[name], *more)
        elif what == "complete":
            [due] = coordinator.due(name)
            coordinator.complete(name, due.producer, due.epoch)
        else:
            del kept[name]
    return kept.records


def cut_logs() -> list[tuple[list, int]]:
    """Return every log, cut at every place, and again behind each record of a coordinator that then dies, too."""
    found = [log[:end] for log in map(log_of, LOGS) for end in range(len(log) + 1)]
    for log in list(found):
        for what, name, *state in answer_with("06d")(log, NOW)[:-1]:
            if what == "record":
                was = dict(log)[name]
                aborts = state == [rules.PREPARE_ABORT]
                log = [*log, (name, rules.fenced(NOW, 2, was) if aborts else rules.completed(NOW, was))]
                found.append(log)
    return [(log, NOW) for at, log in enumerate(found) if log not in found[:at]]


def same_actions(said: object, right: list) -> bool:
    """Tell whether actions do the same: the ids in any order, and markers too, as often as one wants."""
    return in_order(said) == in_order(right)


def in_order(actions):
    """Return actions by id, those between two records as a set; None for what is no list of actions."""
    if not isinstance(actions, (list, tuple)) or not all(
        isinstance(one, (list, tuple)) and one[1:] for one in actions
    ):
        return None
    by_id = sorted(map(tuple, actions), key=lambda one: str(one[1]))  # those of an id keep their order
    steps = groupby(by_id, lambda one: one if one[0] == "record" else one[:2])
    return [(key, sorted({*map(str, group)}) if key[0] == "marker" else [*group]) for key, group in steps]


def told_log(records: Sequence[tuple], now: int) -> str:
    """Return the call with the states of a log alone."""
    return f"recover([{', '.join(f'{name}: {one.state if one else None}' for name, one in records)}], {now})"


def draw_actions(said, records, now):
    """Draw a coordinator's log, and the actions after it."""
    log = pd.DataFrame(
        [
            {"transactional id": name, "state": "– (forgotten)"}
            if one is None
            else {
                "transactional id": name,
                "state": one.state,
                "partitions": ", ".join(one.partitions),
                "open for": f"{now - one.started} of {one.timeout_ms} ms" if one.state == rules.ONGOING else "",
            }
            for name, one in records
        ]
    ).fillna("")
    done = map(shortly, said if isinstance(said, (list, tuple)) else [] if said is None else [said])
    tables = [log, pd.DataFrame({"what the coordinator does": [*done] or ["nothing yet"]})]
    html, text = map(drawing.table_html, tables), [table.to_string(index=False) for table in tables]
    words = f"The coordinator’s log at time {now} ms"
    return drawing.Picture(f'<p class="eo-h">{words}</p>{"".join(html)}', text="\n".join([words, *text]))


ITEMS["06d"] = Compared(
    form="a function of records and a time",
    cases=cut_logs,
    same=same_actions,
    told=told_log,
    drawn=draw_actions,
    shown=[(log_of(LOGS[-1])[:8], NOW)],
    why="first the decision, if it is due, then all its markers, and last the record that they are written",
    praise="Wherever the log ends, your coordinator completes each decision, leaves an open transaction to its "
    "producer until its time is over, and decides nothing twice ({count} logs, among them those where the "
    "coordinator dies again while it recovers). No other coordinator and no producer had to be asked.",
)

# 06g: which method a transactional application calls next, after an error or after an abort.

SEND, COMMIT, ABORT = "send", "commitTransaction", "abortTransaction"
TIMED_OUT, FENCED = "TimeoutException", "ProducerFencedException"
AFTER = {
    None: "the abort is done, and the consumer still stands behind the records of this transaction",
    TIMED_OUT: "the request may have arrived: a commit or an abort is repeated until its outcome is known, "
    "and a send never",
    FENCED: "this producer is not valid any more",
    "IllegalGenerationException": "the group has a new assignment, and the partition may belong to another instance",
    "TransactionAbortableException": "the producer is valid, and this transaction is given up",
}
ENDS = (
    *((COMMIT, TIMED_OUT), (ABORT, TIMED_OUT), (SEND, TIMED_OUT)),
    *((COMMIT, FENCED), (SEND, FENCED), (ABORT, FENCED)),
    *((SEND, "TransactionAbortableException"), (COMMIT, "TransactionAbortableException")),
    *(("sendOffsetsToTransaction", "IllegalGenerationException"), (ABORT, None)),
)


ITEMS["06g"] = Compared(
    form="a function of a call and the error that it raised",
    cases=ENDS,
    shown=ENDS,
    why=lambda said, right, call, error: AFTER[error],
    praise="All {count} cases are right. An end without an answer is repeated, since its outcome may stand already. "
    "A send without an answer is never repeated: the transaction is aborted, and the records are read again. A "
    "producer that is not valid any more is replaced.",
)


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


def ask_store(answer: Any, committed: tuple[Any, ...], seen: tuple[Any, ...]) -> bool:
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


def agrees(said: Any, step: Any, kind: Any) -> Any:
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
