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

from ... import show as drawing
from ...errors import CourseError, Missing, OutcomeUnknown, own_lines, words_of
from ...exercises.kinds.challenge import challenge
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.proved import Proved
from ...exercises.kinds.reply import right, wrong
from ...exercises.kinds.run_answer import called
from ...log import errors
from ...node.pickling import pickle_handler, unpickle_handler
from ...node.program import live, program_of
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
WEAK = 'settings.get("acks", "all") not in ("all", "-1") or settings.get("retries", 1) == 0'

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
    mistakes={
        "librdkafka numbers nothing unless it is told to": ('client == "librdkafka" or ', ""),
        "it is on by default since 3.0.0, but 3.0.0 and 3.1.0 left it off by mistake": (
            " or version in ((3, 0, 0), (3, 1, 0))",
            "",
        ),
        "3.0.1 has it right again, before 3.1.0": ("in ((3, 0, 0), (3, 1, 0))", "< (3, 1, 1)"),
        "switched off by the application, nothing contradicts it": (
            '    if switched is False:\n        return "not numbered"\n',
            "",
        ),
        "acks=1 contradicts it, and switches the default off without an error": (
            WEAK,
            'settings.get("retries", 1) == 0',
        ),
        '"-1" is another name of "all"': (' "-1"', ""),
        "without a retry there is nothing to recognise, so retries=0 contradicts it": (
            ' or settings.get("retries", 1) == 0',
            "",
        ),
        "five requests in flight are allowed": ("5) > 5", "5) >= 5"),
        "too many requests in flight are refused since 4.0.0, not before": (" and version >= (4, 0, 0)", ""),
        "since 4.0.0 too many requests in flight are refused, unless it is switched off": (
            '    if many and version >= (4, 0, 0):\n        return "refused"\n',
            "",
        ),
        "acks=1 does not make six requests in flight any better": ("if many and", "if many and not weak and"),
        "it is asked for, and another setting contradicts it: no such producer is made": (
            '"refused" if weak or many else "numbered"\n    if client',
            '"numbered"\n    if client',
        ),
    },
    right=[("((3, 0, 0), (3, 1, 0))", "{(3, 0, 0), (3, 1, 0)}")],
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


ERRORS = "(SerializationFailure, OutcomeUnknown)"

ITEMS["13b"] = Compared(
    cases=((2,),),
    shown=((0,),),
    ask=ask_paid,
    rule=paid_once,
    drawn=requests,
    seconds=30.0,
    mistakes={
        "The balance is 10 and should be 40: an order was paid twice": ("if database.read(paid) is None", "if True"),
        "an order was paid twice, after commit(): it is done": (
            "                database.write(paid, amount)\n            database.commit()",
            "            database.commit()\n"
            "            database.begin()\n"
            "            database.write(paid, amount)\n"
            "            database.commit()",
        ),
        "The balance is 70 and should be 40: an order was not paid": ('f"order {order}"', 'f"amount {amount}"'),
        "fails with OutcomeUnknown: No answer to begin()": (ERRORS, "SerializationFailure"),
        "fails with SerializationFailure": (ERRORS, "OutcomeUnknown"),
        "a transaction is open": (
            "                database.write(paid, amount)\n            database.commit()",
            "                database.write(paid, amount)\n                database.commit()",
        ),
        "The balance is 70 and should be 40: an order was not paid, after": (
            "            continue",
            "            return",
        ),
    },
    right=[('f"order {order}"', "(order, amount)"), ("is None", "!= amount")],
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
def wanted(job):
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

    def check(self, answer):
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


ADDED = 'node.database.transact(("cas", "done", hour - 1, hour), ("add", "readings", len(window)))'
SAVED = 'node.state.save({"positions": positions, "window": window})'
WRITTEN = 'node.registers.cas(f"output.{hour - 1}", 0, window.average())'

ITEMS["13d"] = challenge(
    kind=OnBoth,
    rule=both_right,
    objection=objection,
    jobs=(Job(items=3, duration=2, threshold=1),),
    praise="Output and total are right in the end, in two systems.",
    mistakes={
        'One crash: after this schedule the table "readings" holds': (
            ADDED,
            'node.database.transact(("add", "readings", len(window)))',
        ),
        'the table "readings" holds 6 and': ("len(window)", "len(items)"),
        "the output holds more than the 3 averages": (WRITTEN, "node.output.push(window.average())"),
        "the average of hour 1 is missing from the output": ("output.{hour - 1}", "output.{hour}"),
        "at the place of hour 3 the output does not hold": ('"window": window', '"window": Window()'),
        "is missing from the output": [
            (WRITTEN, SAVED),
            (f"{ADDED}\n        {SAVED}", f"{ADDED}\n        {WRITTEN}"),
        ],
        "holds 14 and should hold 10": (
            'transact(("cas", "done", hour - 1, hour)',
            'transact(("cas", "done", node.database.read("done")[0], hour)',
        ),
    },
    right=[('"done"', '"index"'), (f"{WRITTEN}\n        {ADDED}", f"{ADDED}\n        {WRITTEN}")],
)


# 13-end: how a transaction ends, whatever the two calls answer.

OK, LATE, ABORTABLE, FENCED = "ok", "TimedOut", "an error that is not fatal", "ProducerFenced"


class Over(BaseException):
    """A call after the last answer of a script. No error of a program's, so that none of its handlers catches it."""


class Producer:
    """A producer whose calls answer what a script says, and which refuses another call after a time-out."""

    def __init__(self, script):
        self.script, self.late = list(script), None

    def _called(self, call):
        if self.late not in (None, call):
            raise errors.IllegalState(f"The previous call, {self.late}, timed out and must be made again.")
        if not self.script:
            raise Over(f"{call} once more, though nothing is left to end")
        answer = self.script.pop(0)
        self.late = call if answer == LATE else None
        if answer == LATE:
            raise errors.TimedOut("No answer, and it may have arrived.")
        if answer == ABORTABLE:
            raise errors.LogError("The transaction can only be aborted.")
        if answer == FENCED:
            raise errors.ProducerFenced("A newer producer has this transactional id.")

    commit_transaction = partialmethod(_called, "commit_transaction")
    abort_transaction = partialmethod(_called, "abort_transaction")


def ask_end(answer, *script):
    """Return what `end` returns; for an error of the log its name."""
    try:
        return answer(Producer(script))
    except (errors.LogError, Over) as why:
        return f"{type(why).__name__}: {why}"


AGAIN = "            continue"

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
    mistakes={
        "a time-out leaves the outcome open, so the same call is made again": (AGAIN, "            raise"),
        "while the outcome is open the producer refuses any other call": (
            AGAIN,
            "            producer.abort_transaction()",
        ),
        "an error that is fatal ends the producer: raise it": ("if why.fatal:", "if False:"),
        "an error that is not fatal leaves the abort": ("if why.fatal:", "if True:"),
        "after the abort nothing is committed": (
            "producer.abort_transaction, False",
            "producer.abort_transaction, True",
        ),
        "an abort can time out as well": (
            "call, committed = producer.abort_transaction, False",
            "producer.abort_transaction()\n            return False",
        ),
    },
    right=[(AGAIN, "            pass")],
    praise="It ends a transaction rightly after each of {count} rows of answers.",
)

# 13-holds: why a read_committed reader stands still.

BEHIND = "position < last_stable"

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
    mistakes={
        "up to the last stable offset it could read more now: the reader itself is late": (BEHIND, "state is None"),
        "behind the last stable offset nothing can be read, so the reader is not late": (
            BEHIND,
            "position < high_watermark",
        ),
        "the coordinator knows of no such open transaction, and nobody will end it": (
            ' if state in ("Ongoing", "PrepareCommit", "PrepareAbort") else "hanging"',
            "",
        ),
        "a decision that is prepared is carried out by the coordinator": (
            '("Ongoing", "PrepareCommit", "PrepareAbort")',
            '("Ongoing",)',
        ),
        "an id that the coordinator does not know is ended by nobody": ('("Ongoing",', '(None, "Ongoing",'),
        "a transaction that is complete is not open any more": (
            'state in ("Ongoing", "PrepareCommit", "PrepareAbort")',
            "state",
        ),
        "it has read all that there is": (
            '    if position == high_watermark:\n        return "caught up"\n',
            "",
        ),
        "return one of 'caught up', 'behind', 'open', 'hanging'": ('"caught up"\n', '"done"\n'),
    },
    right=[('state in ("Ongoing", "PrepareCommit", "PrepareAbort")', 'str(state).startswith(("On", "Prepare"))')],
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
    mistakes={
        "the log decides, transaction by transaction": ('"abort": "ROLLBACK"', '"abort": "COMMIT"'),
        "what is to be aborted holds its locks until it is rolled back": (', "abort": "ROLLBACK"', ""),
        "leave alone what the log has not decided": ('"ROLLBACK"}', '"ROLLBACK", "open": "ROLLBACK"}'),
        "an id that the log does not know belongs to another application": [
            ("decided[name]", 'decided.get(name, "abort")'),
            ("decided.get(name) in verbs", 'decided.get(name) != "open"'),
        ],
        "nothing of that name is prepared, and PostgreSQL would refuse the statement": (
            "for name in prepared",
            "for name in decided",
        ),
        "a quotation mark within a text is written twice": (""".replace("'", "''")""", ""),
        "return a list of statements, such as COMMIT PREPARED 'a'": (
            """verbs[decided[name]] + " PREPARED '" + name.replace("'", "''") + "'\"""",
            "name",
        ),
    },
    right=[('verbs = {"commit": "COMMIT"', 'verbs = {"commit": "commit"'), ('+ "\'"', '+ "\';"')],
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
    mistakes={
        "the revision of creation stays as long as the key is there": [
            ("MOD", "CREATE"),
            ('found["mod_revision"]', 'found["create_revision"]'),
        ],
        "the version begins anew when a key is made again": [
            ("MOD", "VERSION"),
            ('found["mod_revision"]', 'found["version"]'),
        ],
        "a key that is not there has no numbers, and compares as 0": (" if found else 0", ""),
        "a key that is not there compares as 0": ("else 0", "else 1"),
        "the number belongs to the target": ("MOD", "VERSION"),
        "the target is one of 'VERSION', 'CREATE', 'MOD'": ("MOD", "mod"),
    },
    right=[
        (
            'return "MOD", found["mod_revision"] if found else 0',
            'return ("MOD", found["mod_revision"]) if found else ["VERSION", "0"]',
        ),
        ("else 0", "else '0'"),
    ],
    praise="Right for {count} cases: your write goes through where nobody else has written since you read.",
)
