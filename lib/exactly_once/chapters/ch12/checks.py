"""The exercises and gaps of chapter 12: restarts of a query, sinks that are replayed, and lists of files."""

import functools
import json
import os
import sqlite3
import sys
import tempfile
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from ... import show as drawing
from ...errors import CourseError, words_of
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.explored import Explored, schedule_drawn
from ...exercises.kinds.reply import wrong
from ...exercises.model_checker import Action, Broken, Found, Model, asked
from ...node.program import pickle_handler, unpickle_handler
from ...paths import temporary
from ...spark.streaming.sinks import SCHEMA, THRESHOLD, Database, once_by_batch_id
from .sink import BATCHES, MicroBatches, in_order

ITEMS: dict = {}  # {name: item}

ONE_DEATH = {"count": 1, "deaths": 1}  # the smallest world of those that save batches

# 12a: what a restart of a query does, from the listing of its checkpoint (tried on Spark 4.3.0).


def listing(offsets=(), commits=(), state=(), metadata=True, more=()):
    """Return a case: the paths in a checkpoint. `state` has for each partition the newest version."""
    paths = ["metadata"] * metadata
    paths += [f"offsets/{batch}" for batch in offsets] + [f"commits/{batch}" for batch in commits]
    for partition, newest in enumerate(state):
        paths += [f"state/0/{partition}/{version}.delta" for version in range(1, newest + 1)]
    return ([*paths, *more],)


ITEMS["12a"] = Compared(
    nothing=(...,),
    cases=(
        listing(),
        listing([0]),
        listing([0], [0]),
        listing(metadata=False),
        listing([0, 1, 2], [0, 1]),
        listing([0, 1, 2], [0, 1, 2], [3]),
        listing([0, 1, 2], [0, 1], [3]),
        listing([0, 1, 2], [0, 1], [2]),
        listing([0, 1], [0], [2], more=["offsets/.2.5d0a.tmp", "commits/.1.77fe.tmp", "commits/.0.crc"]),
        listing([0, 1], [0], [2], more=["state/1/0/1.delta"]),
        listing(range(11), range(10)),
        listing([100, 8, 99, 9, 98], [98, 9, 99, 8, 100]),
        listing(range(103, 108), range(103, 107)),
        listing([0, 1], [0], metadata=False),
        listing([], [0, 1], [2]),
        listing([0, 1, 3], [0, 1, 2]),
        listing([0, 1], [0, 1, 2]),
        listing([0, 1, 2], [0, 1], [3, 2]),
    ),
    praise="Right for {count} checkpoints. The newest offsets say which batch was begun, the newest commit "
    "whether it is done, and the versions of the state how far its tasks came.",
)

# 12b: a sink for averages that are corrected, which neither a replay nor an old driver's batch changes.
# The model, also of 12d and 12-save, is a learner's `save(rows, batch_id, …)` between deaths and replays. The
# databases are real ones of SQLite, with transactions, and what is uncommitted is gone with the driver. A driver dies
# at C or D, which stand before and after each commit; the next one replays the batch.

TITLE = "Every batch is saved once"


Row = namedtuple("Row", "hour average readings")  # of a batch: an hour, its average, and of how many readings
State = namedtuple("State", "held batch tried deaths late")  # the databases, the next batch, and the faults left


class Held(Database):
    """One of the databases; the driver dies at the place with the number `last` of those `passed`, from 1 on."""

    def __init__(self, held, passed, last):
        self.connection, self.passed, self.last = opened(held), passed, last
        self.connection.execute("BEGIN")
        self.places, self.batch = self, None

    def reach(self, letter: str, _: Any) -> None:
        """Pass a place, or die there."""
        self.passed.append(letter)
        if self.last is not None and len(self.passed) >= self.last:
            raise Died


class Saves(Model):
    """A driver that saves batch after batch, dies, and replays; and an old driver whose batches come late.

    `tables` are the databases by name: (the statements that make one, the query that reads it). `wanted(batches)`
    returns the right answers of the queries after these batches.
    """

    def __init__(self, save, tables, wanted, batches, count=None, deaths=0, late=0):
        self.save, self.tables, self.wanted, self.batches = save, tables, wanted, batches[:count]
        self.deaths, self.late = deaths, late
        self.called = functools.cache(self._called)

    @functools.cached_property
    def pickled(self) -> bytes:
        """The function as it was before any call: a new process knows nothing of earlier calls."""
        return pickle_handler(self.save)

    def start(self) -> Any:
        """Return the state with empty databases."""
        held = tuple(opened(None, schema).serialize() for schema, _ in self.tables.values())
        return State(held, 0, False, self.deaths, self.late)

    def actions(self, state):
        """Yield the possible next actions."""
        number = state.batch
        if number < len(self.batches):
            words = f"Batch {number} is saved{' once more' if state.tried else ''}"
            yield Action(words, "after", (number,))
            places = self.called(state.held, number)[1] if state.deaths else ()
            for place, letter in enumerate(places, 1):
                which = f"commit {(place + 1) // 2}" if len(places) > 2 else "its commit"
                where = f"{letter}, {'before' if letter == 'C' else 'after'} {which}"
                yield Action(f"{words}, and the driver dies at {where}", "after", (number, place))
        for old in range(number if state.late else 0):
            yield Action(f"An old driver, thought dead, saves batch {old} late", "after", (old,))

    def after(self, state: Any, number: int, place: int | None = None) -> tuple[Any, str]:
        """Let a batch be saved by the driver, which may die at a place, or late, by an old one."""
        held = self.called(state.held, number, place)[0]
        if number < state.batch:
            return state._replace(held=held, late=state.late - 1), ""
        if place:
            return state._replace(held=held, tried=True, deaths=state.deaths - 1), ""
        return state._replace(held=held, tried=False, batch=number + 1), ""

    def _called(self, held: tuple[bytes, ...], number: Any, last: int | None = None) -> tuple[Any, ...]:
        """Return (what is in the databases after a call of `save`, the letters that it passed)."""
        passed, rows = [], [Row(*row) for row in self.batches[number]]
        databases = [Held(each, passed, last) for each in held]
        words = f"save(rows, {number}, {', '.join(self.tables)})"
        try:
            asked(words, unpickle_handler(self.pickled), rows, number, *databases)
            for database in databases:
                if database.connection.in_transaction:
                    asked(words, database.commit)
        except Died:
            pass
        for database in databases:
            database.rollback()
        return tuple(database.connection.serialize() for database in databases), tuple(passed)

    def judge(self, state: Any) -> None:
        """Raise `Broken` unless each database holds the batches so far; the one that was tried may be there, too."""
        ends = range(state.batch, state.batch + state.tried + 1)
        wanted = zip(*(self.wanted(self.batches[:end]) for end in ends), strict=True)
        for (name, found), right in zip(self._read(state), wanted, strict=True):
            if found not in right:
                should = " or ".join(dict.fromkeys(map(str, right)))
                raise Broken(f"{name!r} holds {found}; it should hold {should}.")

    def key(self, state: Any) -> tuple[Any, ...]:
        """Return a value that is equal for equal states only."""
        return (*(tuple(opened(held).iterdump()) for held in state.held), *state[1:])

    def shown(self, state: Any) -> list[dict[str, str]]:
        """Return what the queries find, database by database."""
        return [{"database": name, "holds": str(found)} for name, found in self._read(state)]

    def _read(self, state):
        for held, (name, (_, query)) in zip(state.held, self.tables.items(), strict=True):
            yield name, asked(query, opened(held).execute, query).fetchall()


def opened(held: bytes | None, schema: str = "") -> Any:
    """Return a connection to a copy of a database, or to an empty one with a schema."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    if held:
        connection.deserialize(held)
    connection.executescript(schema)
    return connection


def saved_in_order(model: Saves) -> list[Action]:
    """Return the schedule in which every batch is saved once."""
    return [Action(f"Batch {number} is saved", "after", (number,)) for number in range(len(model.batches))]


def drawn(found: Found, title: str) -> Any:
    """Return the picture of a schedule, line by line, and of what is stored in the end."""
    return schedule_drawn(
        title, [f"{line}." for line in found.lines], pd.DataFrame(found.shown or ()), found.sentence
    )


def explored(tables, wanted, batches, **declared):
    """Return the item whose answer is a function `save` for these tables; the rest as in `Saves` and `Explored`."""
    model = functools.partial(Saves, tables=tables, wanted=wanted, batches=batches)
    right = [{"database": name, "holds": str(held)} for name, held in zip(tables, wanted(batches), strict=True)]
    example = Found(lines=tuple(action.words for action in saved_in_order(model(None))), shown=right)
    fixed = {"methods": (), "first": saved_in_order, "calm": {}, "draw": drawn, "shown": TITLE}
    return Explored(model=model, sketch=lambda: drawn(example, TITLE), objects="calls", **fixed, **declared)


AVERAGES = "CREATE TABLE averages (hour INTEGER PRIMARY KEY, average REAL, batch INTEGER);"


def newest(batches: tuple[Any, ...]) -> list[list[tuple[Any, ...]]]:
    """Return what the table should hold: of each hour the average that came last."""
    return [sorted({hour: average for rows in batches for hour, average, _ in rows}.items())]


ITEMS["12b"] = explored(
    {"database": (AVERAGES, "SELECT hour, average FROM averages ORDER BY hour")},
    newest,
    (((1, 20.5, 2), (2, 21.0, 1)), ((2, 19.5, 2), (3, 18.0, 1)), (), ((2, 22.0, 3), (1, 20.5, 2))),
    worlds=(ONE_DEATH, {"count": 2, "deaths": 1}, {"late": 1}, {"deaths": 2}, {"deaths": 2, "late": 2}),
    praise="The table has the newest average of each hour, once, in {states} states: drivers die before and after "
    "each commit, batches are replayed, and those of an old driver come late.",
)

# 12d: averages into one database and a counter into another one, each batch in both or in none.

TWO = {
    "averages": (
        "CREATE TABLE averages (hour INTEGER, average REAL); CREATE TABLE batches (batch INTEGER);",
        "SELECT hour, average FROM averages ORDER BY hour, average",
    ),
    "counts": (
        "CREATE TABLE counter (windows INTEGER); INSERT INTO counter VALUES (0); "
        "CREATE TABLE batches (batch INTEGER);",
        "SELECT windows FROM counter",
    ),
}


def both(batches: Any) -> Any:
    """Return what the two databases should hold."""
    rows = [row for batch in batches for row in batch]
    return [sorted(row[:2] for row in rows), [(sum(row[2] > THRESHOLD for row in rows),)]]


ITEMS["12d"] = explored(
    TWO,
    both,
    (((1, 20.5, 5), (2, 21.0, 3)), ((3, 20.5, 6),), (), ((3, 20.5, 6), (5, 22.0, 9))),  # one row was there before
    worlds=(ONE_DEATH, {"count": 2, "deaths": 2}, {"late": 1}, {"deaths": 2, "late": 1}, {"deaths": 3}),
    praise="Each database has each batch once, in {states} states. No transaction covers both: a death can leave a "
    "batch in one of them, and the replay completes the other, as each says for itself what it has.",
)

# 12e: a challenge, a sink whose tasks write files, under retries, twins and drivers' deaths.

WORLDS = (  # the smallest that shows a mistake stands first
    {}, {"batches": 2}, {"batches": 2, "partitions": 2}, {"deaths": 1}, {"unknown": 1}, {"twins": 1},
    {"partitions": 2, "failures": 1}, {"partitions": 2, "twins": 1}, {"partitions": 2, "deaths": 1},
    {"batches": 2, "deaths": 1}, {"batches": 2, "twins": 2}, {"deaths": 1, "unknown": 1}, {"deaths": 2},
    {"partitions": 2, "failures": 1, "unknown": 1}, {"batches": 2, "deaths": 1, "twins": 1},
    {"batches": 2, "deaths": 1, "unknown": 1},
)  # fmt: skip
CALLS = {
    "Sink(store)": "An object for one call. A call runs in a process of its own.",
    "write(rows, partition, attempt)": "In a task. Return a message for the driver.",
    "commit(messages, batch_id)": "Beside the driver: the batch becomes visible. One message a partition.",
    "abort(messages, batch_id)": "Beside the driver: the batch has failed. None for a task without a message.",
    "store.put(name, value)": "Write a file, over the old one if there is one.",
    "store.put_if_absent(name, value)": "Write a file if there is none, in one step. Returns whether it was written.",
    "store.get(name)": "The contents of a file, or None.",
    "store.delete(name)": "Delete a file, if it is there.",
    "store.unique()": "A name that no other call ever gets.",
}


def calls():
    """Draw the table of the calls."""
    return drawing.table_picture(pd.DataFrame(CALLS.items(), columns=["call", "purpose"]))


ITEMS["12e"] = Explored(
    model=MicroBatches,
    methods=("write", "commit", "abort"),
    form="a class, Sink, with write, commit and abort",
    worlds=WORLDS,
    states=6_000,
    first=in_order,
    calm={"batches": len(BATCHES), "partitions": 2},
    draw=drawn,
    shown="Two batches of two partitions, without a fault",
    sketch=calls,
    objects="sinks",
    praise="Every batch is visible once, whole, and for good, and what no reader will see is deleted, wherever tasks "
    "and drivers die, whichever twin is late, and whatever a zombie still writes: {states} states of "
    f"{len(WORLDS)} small worlds.{{cut}}",
)

# 12-next: which batch runs next, from the ids in the two logs.


ITEMS["12-next"] = Compared(
    cases=(  # the ids of the offsets, and those of the commits
        ([], []),
        ([0], []),
        ([0], [0]),
        ([0, 1, 2], [0, 1]),
        ([0, 1, 2], [0, 1, 2]),
        ([2, 0, 1], [1, 0]),
        ([9, 10, 8], [10, 9, 8]),
        ([5, 6], [4, 5]),  # of old files, those of one log may be gone before those of the other
        ([5, 6], [6]),
        ([*range(103, 110)], [*range(103, 109)]),
    ),
    praise="The newest offsets decide: without their commit, that batch runs again.",
)

# 12-save: the rows of a batch and its id in one transaction.


def summed(batches: tuple[Any, ...]) -> list[Any]:
    """Return what the database should hold."""
    rows = [row for batch in batches for row in batch]
    return [[*sorted(row[:2] for row in rows), ("counter", sum(row[2] > THRESHOLD for row in rows))]]


QUERY = "SELECT hour, average FROM averages UNION ALL SELECT 'counter', windows FROM counter ORDER BY 1, 2"

ITEMS["12-save"] = explored(
    {"database": (SCHEMA, QUERY)},
    summed,
    (((1, 20.5, 5),), ((2, 21.0, 3), (3, 20.0, 6)), (), ((2, 21.0, 3), (3, 20.0, 6))),  # two have equal rows
    asks="your lines",
    refuses=(once_by_batch_id,),
    worlds=(ONE_DEATH, {"deaths": 1}, {"deaths": 2}),
    praise="Each batch is in the database once, wherever its driver dies ({states} states): rows, counter and id are "
    "committed together.",
)

# 12-commit: a list of files that becomes visible in one step.

MESSAGES = ((["0-a", "1-a"], 0), (["0-b", None, "1-b"], 0), ([None, "0-c"], 1))  # a call again, with other files
FILES = {"0-a": ["tea"], "1-a": ["milk"], "0-b": ["milk"], "1-b": ["tea"], "0-c": ["salt"], "0-orphan": ["tea"]}
WANTED = [["milk", "tea"], ["salt"]]
CHANGES = {  # the events of Python's that change a file, and which argument is its name
    "open": 0, "os.rename": 1, "os.link": 1, "os.symlink": 1, "os.remove": 0, "os.truncate": 0, "shutil.copyfile": 1,
}  # fmt: skip
WATCHED = {}  # the folder in which the driver dies, and after how many changes of a file, while it is at work


class Died(BaseException):
    """The driver died. No error of a program's, so that none of its handlers catches it."""


def watch(event, arguments):
    """See an event, and let the driver die at its change; a file that it opens then is left half written."""
    if not WATCHED or event not in CHANGES:
        return
    path, flags = str(arguments[CHANGES[event]]), arguments[2] if event == "open" else os.O_WRONLY
    if not (path.startswith(WATCHED["folder"]) and (flags or 0) & (os.O_WRONLY | os.O_RDWR)):
        return
    WATCHED["left"] -= 1
    if WATCHED["left"] <= 0:
        now = dict(WATCHED)
        WATCHED.clear()
        if now["left"] == 0 and event == "open":
            Path(path).write_text('["0-')
        WATCHED.update(now)
        raise Died


@functools.cache
def watching() -> None:
    """Begin to see the events of this process: nothing ends that."""
    sys.addaudithook(watch)


def visible(commit, last):
    """Call a learner's function three times; the driver of the first call dies at the `last` change of a file.

    Return the rows that a reader finds after the last call, or a sentence if a reader finds anything wrong before;
    return None for an idle function.
    """
    with tempfile.TemporaryDirectory(dir=temporary("commit")) as place:
        folder, seen = Path(place), None
        for name, rows in FILES.items():
            (folder / name).write_text(json.dumps(rows))
        try:
            for call, (messages, batch) in enumerate(MESSAGES):
                over = _called(commit, messages, batch, folder, last if call == 0 else None)
                if over and len(list(folder.iterdir())) == len(FILES):
                    return None
                found = [_read(folder, each, may_lack=not over) for each in range(batch + 1)]
                if seen and found[0] != seen:
                    return "commit is called again with other files, and replaces what was visible"
                seen = found[0]
        except CourseError as why:
            return str(why)
    return [rows for _, rows in found]


def _read(folder: Any, batch: int, may_lack: bool) -> tuple[list[str], list[str]] | None:
    """Return the list of a batch, and its rows. Raises `CourseError` unless they are all there, once."""
    shown = folder / f"batch-{batch}.json"
    if not shown.exists():
        if may_lack:
            return None
        raise CourseError(f"commit of batch {batch} has returned, and there is no {shown.name}")
    text = shown.read_text()
    try:
        names = json.loads(text)
        found = sorted(row for name in names for row in json.loads((folder / name).read_text()))
    except (ValueError, TypeError, OSError):
        raise CourseError(f"a reader finds {text!r} in {shown.name}, which is no list of files") from None
    if found != WANTED[batch]:
        raise CourseError(f"a reader of batch {batch} finds the rows {found}; it has {WANTED[batch]}")
    return names, found


def _called(commit: Callable[..., Any], messages: Any, batch: int, folder: Any, last: int | None) -> bool:
    """Call a learner's function; return whether it ended before the change at which its driver dies."""
    if last:
        watching()
        WATCHED.update(folder=str(folder), left=last)
    try:
        commit(list(messages), batch, folder)
        return True
    except Died:
        return False
    except Exception as why:
        raise CourseError(f"commit({messages}, {batch}, folder) fails with {words_of(why)}") from why
    finally:
        WATCHED.clear()


def unseen(said: Any, last: int | None) -> Any:
    """Return the reply to what readers find, or None where they find each batch once."""
    if said == WANTED:
        return None
    said = f"The driver dies at change {last} of a file; then {said}." if last else f"{said[:1].upper()}{said[1:]}."
    return wrong(said)


ITEMS["12-commit"] = Compared(
    cases=[(None,), *((last,) for last in range(1, 9))],
    ask=visible,
    rule=unseen,
    shown=[(None,)],
    told=lambda last: "Three calls",
    praise="A reader sees the batch wholly or not at all, whatever dies, and what it has seen stays. Here one driver "
    "commits at a time; beside a second one, only a step that refuses an existing name is safe, such as os.link.",
)
