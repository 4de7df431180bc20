"""The exercises and gaps of chapter 13: settings, a payment, a handler on real servers. No gap needs a server."""

import functools
import re
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partialmethod
from html import escape
from pathlib import Path
from typing import Any

from ... import show as drawing
from ...errors import CourseError, Missing, OutcomeUnknown, own_lines, words_of
from ...exercises.kinds.challenge import challenge
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.kind import called
from ...exercises.kinds.proved import Proved
from ...exercises.kinds.reply import right, wrong
from ...log import log_errors
from ...node.program import live, pickle_handler, program_of, unpickle_handler
from ...node.world import DATABASE, Stores
from ...paths import temporary
from ...pipeline import Job, Window
from ...servers.by_url import chosen, new_name, opened
from ...servers.etcd import FIELDS
from ...servers.kafka import Kafka
from ...stores.codec import decode, describe
from ...stores.isolation import SerializationFailure
from ...trace import Recorder
from ...verdict.outcome import Outcome
from ...verdict.verdict import IdealWorld

ITEMS: dict = {}  # {name: item}

# 13a: whether a producer numbers its records, by its client, version and settings.
# The rules are those of Apache Kafka's ProducerConfig, of the versions named here, and of librdkafka 2.15.0.

IDEMPOTENCE, ACKS, RETRIES = "enable.idempotence", "acks", "retries"
IN_FLIGHT = "max.in.flight.requests.per.connection"

ITEMS["13a"] = Compared(
    cases=(  # the smallest that shows a mistake stands first
        ("java", (4, 3, 1), {}),
        ("librdkafka", (2, 15, 0), {}),
        ("librdkafka", (2, 15, 0), {IDEMPOTENCE: True}),
        ("java", (3, 0, 0), {}),
        ("java", (3, 1, 0), {}),
        ("java", (3, 2, 0), {}),
        ("java", (3, 0, 1), {}),
        ("java", (3, 1, 0), {IDEMPOTENCE: True}),
        ("java", (4, 3, 1), {IDEMPOTENCE: False, IN_FLIGHT: 10}),
        ("java", (4, 3, 1), {ACKS: "1"}),
        ("java", (4, 3, 1), {ACKS: "-1"}),
        ("java", (4, 3, 1), {RETRIES: 0}),
        ("java", (4, 3, 1), {RETRIES: 10, IN_FLIGHT: 5}),
        ("java", (3, 9, 0), {IN_FLIGHT: 6}),
        ("java", (4, 0, 0), {IN_FLIGHT: 6}),
        ("java", (4, 0, 0), {ACKS: "1", IN_FLIGHT: 6}),
        ("java", (4, 3, 1), {IDEMPOTENCE: True, ACKS: "0"}),
        ("java", (4, 3, 1), {IDEMPOTENCE: True, RETRIES: 0}),
        ("java", (3, 9, 0), {IDEMPOTENCE: True, IN_FLIGHT: 6}),
        ("librdkafka", (2, 15, 0), {IDEMPOTENCE: True, ACKS: "1"}),
        ("librdkafka", (2, 15, 0), {IDEMPOTENCE: True, IN_FLIGHT: 6}),
        ("librdkafka", (2, 15, 0), {ACKS: "all", IN_FLIGHT: 6}),
    ),
    shown=(("java", (4, 3, 1), {ACKS: "1"}),),
    praise="Right for {count} producers. The same line of settings means something else in another client, and "
    "acks=1 takes the numbers away without an error.",
)

# 13b: a payment in PostgreSQL at serializable, whatever becomes of its statements and its connection.

REFUSED, LOST, DONE = "40001", "the connection is lost", "it is done, and the connection is lost"
BESIDE = "another consumer pays the same order first"  # not behind a write, whose lock it would wait for
BALANCE, ORDERS = 100, ((7, 30), (8, 30), (7, 30))  # order 7 is delivered twice
MOST_REQUESTS = 60  # of one run; who needs more goes round in circles


class Endless(BaseException):
    """The function makes request after request. No error of a program's, so that none of its handlers catches it."""


class Database:
    """PostgreSQL, as one connection sees it, with `rows`; `mishaps` are {number of a request: what happens there}.

    `lines` tell the requests, `possible` are the mishaps that they could meet; `beside` is a call by another process.
    """

    def __init__(self, rows, mishaps):
        self.rows, self.mishaps, self.requests = rows, mishaps, 0
        self.lines, self.possible = [], []
        self.beside = self.open = self.seen = None

    def begin(self):
        """Begin a transaction at serializable."""
        if self.open is not None:
            raise RuntimeError("a transaction is open already")
        self._asked("begin()", LOST)
        self.open, self.seen = dict(self.rows), self.rows

    def read(self, row):
        """Return a row's value, or None where there is none."""
        self._asked(f"read({row!r})", REFUSED, LOST)
        return self.open.get(row)

    def write(self, row, value):
        """Write a row."""
        self._asked(f"write({row!r}, {value!r})", REFUSED, LOST, writes=True)
        self.open[row] = value

    def commit(self):
        """Commit the transaction."""
        self._asked("commit()", REFUSED, LOST, DONE)
        self._keep()

    def rollback(self):
        """Roll the transaction back, if one is open."""
        self.lines.append("rollback()")
        self.open = None

    def _keep(self):
        self.rows, self.open = self.rows if self.open == self.seen else self.open, None

    def _asked(self, words, *kinds, writes=False):
        """Note a request, which could meet a mishap of one of these kinds; meet the one that is due."""
        if REFUSED in kinds and self.open is None:
            raise RuntimeError(f"{words} outside of a transaction")
        number, self.requests = self.requests, self.requests + 1
        if number >= MOST_REQUESTS:
            raise Endless
        kinds += (BESIDE,) * (self.open in (None, self.seen))
        self.possible += [(number, kind) for kind in kinds]
        met = told = self.mishaps.get(number, "")
        if met == BESIDE:
            other, met = Database(self.rows, {}), ""
            self.beside(other)
            self.rows = other.rows
        if writes and self.rows != self.seen:
            met = told = REFUSED
        self.lines.append(f"{words}: {told}" if told else words)
        if met == DONE:
            self._keep()
        if met:
            self.open = None
        if met == REFUSED:
            raise SerializationFailure("could not serialize access due to concurrent update")
        if met:
            raise OutcomeUnknown(f"No answer to {words}: the connection was lost.")


def paid(packed, mishaps):
    """Return the database after all calls of a function, each in a process of its own, what is wrong, and the
    learner's lines that raised."""
    database = Database({"balance": BALANCE}, mishaps)
    for order in ORDERS:
        database.lines.append(f"call {', '.join(map(str, order))}")
        database.beside = lambda other, order=order: unpickle_handler(packed)(other, *order)
        try:
            unpickle_handler(packed)(database, *order)
        except Endless:
            return database, f"After {MOST_REQUESTS} requests your function still makes more of them", ""
        except BaseException as why:  # noqa: BLE001 - whatever a learner's code raises, SystemExit too, is told
            return database, f"Your function fails with {words_of(why)}", own_lines(why)
    left, wanted = database.rows["balance"], BALANCE - sum(dict(ORDERS).values())
    if database.open is not None:
        return database, "When your function returns, a transaction is open", ""
    how = "an order was paid twice" if left < wanted else "an order was not paid"
    return database, "" if left == wanted else f"The balance is {left} and should be {wanted}: {how}", ""


def ask_paid(answer, most):
    """Try all lists of up to `most` mishaps, the shortest first; return (what is wrong, the lines of the run, the
    learner's lines that raised) of the first run that goes wrong, or else of the calm one."""
    packed, lists, calm = pickle_handler(answer), [{}], None
    for _ in range(most + 1):
        longer = []
        for mishaps in lists:
            database, sentence, traceback = paid(packed, mishaps)
            calm = calm or ("", database.lines, "")
            if sentence:
                struck_by = [line for line in database.lines if ": " in line]
                told = f"{sentence}, after {'; '.join(struck_by)}." if struck_by else f"{sentence}."
                return told, database.lines, traceback
            last = max(mishaps, default=-1)
            longer += [{**mishaps, at: what} for at, what in database.possible if at > last]
        lists = longer
    return calm


def requests(said, most):
    """Draw the requests of a run as a list."""
    sentence, lines, _ = said or ("There is no function yet.", (), "")
    html = "".join(f"<li>{escape(line)}</li>" for line in lines)
    told = f"<p><b>{escape(sentence)}</b></p>" if sentence else ""
    return drawing.Picture(f'<ol class="eo-requests">{html}</ol>{told}', text="\n".join([*lines, sentence]).strip())


def paid_once(said, most):
    """Each order is paid once, and nothing is left open."""
    return wrong(said[0], picture=requests(said, most), traceback=said[2]) if said[0] else None


ITEMS["13b"] = Compared(
    cases=((2,),),
    shown=((0,),),
    ask=ask_paid,
    rule=paid_once,
    drawn=requests,
    seconds=30.0,
    praise="Each order is paid once, after each list of up to two mishaps: refused statements, lost connections, a "
    "commit whose answer is lost, and another consumer that pays the same order meanwhile.",
)

# 13d: a challenge: output in Kafka and a total in PostgreSQL, right under every fault, and on the servers: there
# the broker is killed on the way, and each incarnation has its turn.

ON_SERVERS = Job(items=6, duration=2, threshold=1)
STORES = "kafka:,postgresql:"
LIVES = 12
KILLED_AT = (7, 19)  # steps of the handler, which takes some thirty
LOOK_SECONDS = 0.002  # between two looks for the next moment


@functools.cache
def wanted(job: Job) -> tuple[list[Any], int]:
    """Return (averages, total): each hour's average, and how many readings all windows hold together."""
    window, averages, total = Window(), [], 0
    for readings in zip(*job.inputs().values(), strict=True):
        window.push(readings)
        window.trim(job.duration)
        averages.append(window.average())
        total += len(window)
    return averages, total


def both_right(view, job):
    """In the end the output holds each hour's average once and in order, and the database's table "readings" holds
    the number of readings of all windows.
    """
    averages, total = wanted(job)
    return not view.done or (list(view.outputs) == averages and view.look("database", "readings", "table") == total)


def objection(view, job):
    """Return a sentence on the mistake in the outcome."""
    (averages, total), outputs = wanted(job), list(view.outputs)
    for hour, average in enumerate(averages, 1):
        if hour > len(outputs):
            return f"the average of hour {hour} is missing from the output"
        if outputs[hour - 1] != average:
            return f"at the place of hour {hour} the output does not hold the average of this hour"
    if len(outputs) > len(averages):
        return f"the output holds more than the {len(averages)} averages"
    held = describe(view.look("database", "readings", "table"))
    return f'the table "readings" holds {held} and should hold {total}'


class OnServers(IdealWorld):
    """The world of incarnations on stores by URL; before some of its steps a file is made, for whoever kills."""

    def __init__(self, program, urls, folder):
        super().__init__(program)
        where = new_name()
        self.stores = Stores(lambda name: opened(urls[name == DATABASE], name, f"{where}_{name}"))
        self.recorder, self.folder = Recorder(), folder
        program.load_inputs(self.stores)

    def turn(self, event):
        """Say that the step is due."""
        super().turn(event)
        if self.steps in KILLED_AT:
            (self.folder / f"step-{self.steps}").touch()


@dataclass(frozen=True)
class Seen:
    """The end of a run on servers, as the rule looks at it."""

    outputs: list
    total: object
    done: bool = True

    def look(self, *_):
        """Return the total."""
        return self.total


def lived(handler, urls, folder):
    """Return (the end of a run on servers, how many incarnations it took, the handler's error). For `called`."""
    program = program_of(handler, ON_SERVERS)
    world = OnServers(program, urls, Path(folder))
    lives, ending, text = 0, "gave up", None
    while ending == "gave up" and lives < LIVES:
        ending, text = live(world, handler)
        lives += 1
    outputs = [decode(each) for each in Outcome.of(world.stores, [program]).outputs]
    seen = Seen(outputs, world.stores[DATABASE].look("readings", "table"))
    for store in world.stores.values():
        store.remove()
        store.close()
    return seen, lives, None if ending == "ended" else text


def struck(folder, over):
    """Kill the broker at each of the moments, and start it again; return how often. Ends with the run."""
    kafka = Kafka.shared()
    for kills, step in enumerate(KILLED_AT):
        while not (folder / f"step-{step}").exists():
            if over.wait(LOOK_SECONDS):
                return kills
        kafka.kill()
        kafka.start()
    return len(KILLED_AT)


@dataclass(frozen=True, kw_only=True)
class OnBoth(Proved):
    """A challenge that is proved, and then carried out on servers."""

    def check(self, answer: Any) -> Any:
        """Prove the handler; then run it on Kafka and PostgreSQL, with a broker that is killed twice."""
        reply = super().check(answer)
        if not reply.right:
            return reply
        try:
            urls = chosen(STORES)
        except (CourseError, Missing) as why:
            return right(f"{reply.sentence} The servers are not here, so it was not carried out on them: {why}")
        over = threading.Event()
        with tempfile.TemporaryDirectory(dir=temporary("challenges")) as folder, ThreadPoolExecutor(1) as pool:
            kills = pool.submit(struck, Path(folder), over)
            try:
                seen, lives, error = called(lived, answer, urls, folder, seconds=120.0)
            finally:
                over.set()
        if error:
            return wrong(f"On the servers your handler fails: {error}")
        if not both_right(seen, ON_SERVERS):
            return wrong(f"On the servers {objection(seen, ON_SERVERS)}.")
        return right(
            f"{reply.sentence} On Kafka and PostgreSQL, too, both are right (kills of the broker: "
            f"{kills.result()}, incarnations: {lives})."
        )


ITEMS["13d"] = challenge(
    kind=OnBoth,
    rule=both_right,
    objection=objection,
    jobs=(Job(items=3, duration=2, threshold=1),),
    praise="Output and total are right in the end, in two systems.",
)


# 13-end: how a transaction ends, whatever the two calls answer.

OK, LATE, ABORTABLE, FENCED = "ok", "TimedOut", "an error that is not fatal", "ProducerFenced"


class Over(BaseException):
    """A call after the last answer of a script. No error of a program's, so that none of its handlers catches it."""


class Producer:
    """A producer whose calls answer what a script says, and which refuses another call after a time-out."""

    def __init__(self, script: tuple[str, ...]) -> None:
        self.script, self.late = list(script), None

    def _called(self, call: Any) -> None:
        if self.late not in (None, call):
            raise log_errors.IllegalState(f"The previous call, {self.late}, timed out and must be made again.")
        if not self.script:
            raise Over(f"{call} once more, though nothing is left to end")
        answer = self.script.pop(0)
        self.late = call if answer == LATE else None
        if answer == LATE:
            raise log_errors.TimedOut("No answer, and it may have arrived.")
        if answer == ABORTABLE:
            raise log_errors.LogError("The transaction can only be aborted.")
        if answer == FENCED:
            raise log_errors.ProducerFenced("A newer producer has this transactional id.")

    commit_transaction = partialmethod(_called, "commit_transaction")
    abort_transaction = partialmethod(_called, "abort_transaction")


def ask_end(answer: Any, *script: str) -> bool | str:
    """Return what `end` returns; for an error of the log its name."""
    try:
        return answer(Producer(script))
    except (log_errors.LogError, Over) as why:
        return f"{type(why).__name__}: {why}"


ITEMS["13-end"] = Compared(
    cases=(  # the answers of the calls, one after another
        (OK,),
        (LATE, OK),
        (LATE, LATE, LATE, OK),
        (ABORTABLE, OK),
        (ABORTABLE, LATE, OK),
        (LATE, ABORTABLE, OK),
        (FENCED,),
        (LATE, FENCED),
        (ABORTABLE, FENCED),
    ),
    ask=ask_end,
    told=lambda *script: f"Where the calls answer {', then '.join(script)}, your function",
    praise="It ends a transaction rightly after each of {count} rows of answers.",
)

# 13-holds: why a read_committed reader stands still.


ITEMS["13-holds"] = Compared(
    cases=(  # position, last stable offset, high watermark, the coordinator's state of who holds it
        (5, 5, 5, None),
        (3, 5, 5, None),
        (5, 5, 9, "Ongoing"),
        (5, 5, 9, "CompleteAbort"),
        (3, 5, 9, "Ongoing"),
        (3, 5, 9, "CompleteAbort"),
        (5, 5, 9, "PrepareCommit"),
        (5, 5, 9, "PrepareAbort"),
        (5, 5, 9, "CompleteCommit"),
        (5, 5, 9, "Empty"),
        (5, 5, 9, None),
        (0, 0, 1, "Ongoing"),
        (0, 0, 0, None),
    ),
    praise="It names the cause in each of {count} moments.",
)

# 13-doubt: what ends the prepared transactions of an application whose processes are gone.

SQL = re.compile(r"\s*(COMMIT|ROLLBACK)\s+PREPARED\s+'((?:[^']|'')*)'\s*;?\s*", re.IGNORECASE)


def ask_doubt(answer, prepared, decided):
    """Return the statements, sorted, and each as it is usually written."""
    said = answer(prepared, decided)
    if not isinstance(said, (list, tuple, set)):
        return said
    found = [(SQL.fullmatch(each) if isinstance(each, str) else None, each) for each in said]
    return sorted((f"{one[1].upper()} PREPARED '{one[2]}'" if one else each for one, each in found), key=str)


ITEMS["13-doubt"] = Compared(
    cases=(  # the prepared ids, {id: the decision in the log}
        ([], {}),
        (["a"], {"a": "commit"}),
        (["a"], {"a": "abort"}),
        (["a", "b"], {"a": "abort", "b": "commit"}),
        (["a"], {"a": "open"}),
        (["a", "pay-7"], {"a": "commit"}),
        (["b"], {"a": "commit", "b": "abort"}),
        (["ann's"], {"ann's": "commit"}),
    ),
    ask=ask_doubt,
    praise="It ends what is decided, and leaves alone what is open or belongs to another application.",
)

# 13-guard: which number of a key, compared in the transaction, lets no write of others be lost.

PUT, DELETE = "another client puts it", "another client deletes it"


def key_after(actions):
    """Return what etcd says of a key after these puts and deletions, as a dictionary; None where it is not there."""
    found = None
    for revision, action in enumerate(actions, 2):
        version, create = (found["version"] + 1, found["create_revision"]) if found else (1, revision)
        found = {"version": version, "create_revision": create, "mod_revision": revision} if action == PUT else None
    return found


def guards(said, before, since):
    """Tell whether the guarded write goes through where nobody else has written since, and only there."""
    start = f"You read a key that is {'there' if key_after(before) else 'not there'}"
    try:
        target, number = said
        held = (key_after(before + since) or {}).get(FIELDS[target], 0)
        lets = held == int(number)
    except (TypeError, ValueError, KeyError):
        return f"{start}: your function returns {said!r}; return (target, number), such as ('VERSION', 1)"
    if lets and since:
        return f"{start}, then {' and '.join(since)}: {target} is {number} again, and your write goes through"
    if not lets and not since:
        return f"{start}, and nobody writes: {target} is not {number}, and your write is refused for ever"
    return None


ITEMS["13-guard"] = Compared(
    cases=(  # what was done before it was read, and what was done since
        ((PUT,), ()),
        ((), ()),
        ((PUT,), (PUT,)),
        ((), (PUT,)),
        ((PUT,), (DELETE,)),
        ((PUT,), (DELETE, PUT)),
        ((PUT, PUT), (DELETE, PUT, PUT)),
        ((PUT, DELETE, PUT), (PUT,)),
        ((PUT, DELETE), (PUT,)),
    ),
    ask=lambda answer, before, since: answer(key_after(before)),
    rule=guards,
    told=lambda before, since: f"guard({key_after(before)})",
    praise="Right for {count} cases: your write goes through where nobody else has written since you read.",
)
