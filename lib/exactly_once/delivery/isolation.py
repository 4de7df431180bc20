"""Which isolation level suffices for which consumer: a table of proofs; and the same on SQLite, for real."""

import contextlib
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ..errors import BadInput, one_of, whole
from ..explore import prove
from ..explore.proof import Proof
from ..handlers.logs.database_consumer import FORMS, Apply, Messages, applied_once, for_update, twins
from ..stores.isolation import LEVELS, DatabaseLocked
from ..stores.isolation.transactions import SQLITE

Begins: TypeAlias = Literal["deferred", "immediate", "autocommit"]
MEETING = 0.05  # seconds for which a reader waits for the other one to have read, too
BUSY_TIMEOUT_SECONDS = 10.0
MOST_ATTEMPTS = 10_000


@dataclass(frozen=True)
class LevelsAndForms:
    """The proof of each form at each level, {(level, form): Proof}; None where a product has no such statement."""

    proofs: Mapping[tuple[str, str], Proof | None]

    @property
    def levels(self) -> list[str]:
        """The levels, in order."""
        return list(dict.fromkeys(level for level, _ in self.proofs))

    @property
    def forms(self) -> list[str]:
        """The names of the forms, in order."""
        return list(dict.fromkeys(form for _, form in self.proofs))

    def right(self, form: str) -> list[str]:
        """Return the levels at which a form is proved."""
        return [level for level in self.levels if (found := self.proofs[level, form]) is not None and found.ok]


def levels_and_forms(
    forms: Mapping[str, Any] | None = None,
    levels: Iterable[str] = tuple(LEVELS),
    messages: int = 1,
    crashes: int = 0,
    again: bool = True,
) -> LevelsAndForms:
    """Prove each form at each isolation level, with two nodes that apply the same messages at once.

    `forms` are functions of a session and a message's number, by name (default: those of the chapter); `messages`,
    `crashes` and `again` are as in `twins` and `prove`. The whole table takes some seconds. Raises `BadInput` for
    another level, and for forms that are no mapping.
    """
    if forms is not None and not isinstance(forms, Mapping):
        raise BadInput(f"The forms are {forms!r}; map each name to a function of a session and a message's number.")
    proofs: dict[tuple[str, str], Proof | None] = {}
    for level in levels:
        for name, form in (FORMS if forms is None else forms).items():
            cannot = form is for_update and LEVELS[one_of("the isolation level", level, LEVELS)] == SQLITE
            programs = twins(form, level, messages, again=again)
            proofs[level, name] = None if cannot else prove(programs, crashes=crashes, invariant=applied_once)
    return LevelsAndForms(proofs)


class SQLiteSession:
    """A `Session` on a real SQLite file: the same methods, each one statement of SQL."""

    def __init__(self, connection: sqlite3.Connection, begins: str, has_read: Callable[[], object]) -> None:
        self._connection, self._has_read = connection, has_read
        if begins != "autocommit":
            connection.execute(f"BEGIN {begins}")

    def read(self, row: str) -> Any:
        """Return the value of a row."""
        found = self._connection.execute("SELECT value FROM kept WHERE name = ?", (row,)).fetchone()
        self._has_read()
        return found and found[0]

    def update(self, row: str, value: Any) -> int:
        """Set a row; return how many rows matched."""
        return self._do("UPDATE kept SET value = ? WHERE name = ?", value, row)

    def update_where(self, row: str, expected: Any, value: Any) -> int:
        """Set a row if it holds a value; return how many rows matched."""
        return self._do("UPDATE kept SET value = ? WHERE name = ? AND value IS ?", value, row, expected)

    def add(self, row: str, number: int) -> int:
        """Add a number to a row; return how many rows matched."""
        return self._do("UPDATE kept SET value = value + ? WHERE name = ?", number, row)

    def insert(self, row: str, value: Any) -> int:
        """Insert a row unless it is there; return how many were inserted."""
        return self._do("INSERT INTO kept VALUES (?, ?) ON CONFLICT DO NOTHING", row, value)

    def commit(self) -> None:
        """Commit."""
        if self._connection.in_transaction:
            self._do("COMMIT")

    def rollback(self) -> None:
        """Roll back, if anything is open."""
        if self._connection.in_transaction:
            self._do("ROLLBACK")

    def _do(self, statement: str, *values: Any) -> int:
        try:
            return self._connection.execute(statement, values).rowcount
        except sqlite3.OperationalError as why:
            if why.sqlite_errorname.startswith("SQLITE_BUSY"):
                raise DatabaseLocked(f"{why.sqlite_errorname}: {why}.") from None
            raise


@dataclass
class OnSQLite:
    """The result of two connections to one SQLite file.

    `counter` is how often the effect took place for `messages` messages, `locked` how often a transaction was refused
    with "database is locked", by the names of SQLite's error codes; `error` is the error that ended a worker, or
    None.
    """

    messages: int
    counter: int = 0
    locked: dict[str, int] = field(default_factory=dict)
    error: BaseException | None = None

    @property
    def exactly_once(self) -> bool:
        """Whether every message was applied once."""
        return self.counter == self.messages


def on_sqlite(apply: Apply, begins: Begins = "immediate", messages: int = 20, again: bool = True) -> OnSQLite:
    """Have two threads apply the same messages at once, each over its own connection to one SQLite file.

    `begins` is how a transaction begins: BEGIN DEFERRED, which is what BEGIN alone means, BEGIN IMMEDIATE, or
    "autocommit": not at all, so that each statement is a transaction. Of each message both read the index before
    either of them writes, wherever SQLite lets them. Without `again` the first refusal ends a worker. Raises
    `BadInput` for another way to begin, and for a value that is no function.
    """
    if not callable(apply):
        raise BadInput(f"What applies a message is {apply!r}; give a function of a session and its number.")
    one_of("how a transaction begins", begins, ("deferred", "immediate", "autocommit"))
    whole("the number of messages", messages, least=1)
    source, left = Messages(messages), OnSQLite(messages)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shop.db"
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE kept (name TEXT PRIMARY KEY, value)")
            connection.executemany("INSERT INTO kept VALUES (?, ?)", source.rows().items())
            connection.commit()
        meetings = {number: threading.Barrier(2) for number in source.settings()["messages"]}
        workers = [
            threading.Thread(target=_work, args=(path, apply, begins, meetings, again, left), daemon=True)
            for _ in range(2)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        with contextlib.closing(sqlite3.connect(path)) as connection:
            (left.counter,) = connection.execute("SELECT value FROM kept WHERE name = 'counter'").fetchone()
    return left


def _work(path, apply, begins, meetings, again, left):
    """Apply all messages over a connection of one's own."""
    try:
        with contextlib.closing(
            sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)
        ) as connection:
            for number, meeting in meetings.items():
                _apply(connection, apply, begins, number, meeting, again, left)
    except BaseException as why:  # noqa: BLE001 - it ends this thread, and is for the caller to see
        left.error = why


def _apply(connection, apply, begins, number, meeting, again, left):
    for _ in range(MOST_ATTEMPTS):
        session = SQLiteSession(connection, begins, lambda: _met(meeting))
        try:
            apply(session, number)
            if connection.in_transaction:
                raise BadInput("The transaction was neither committed nor rolled back; end it on every way out.")
            return
        except DatabaseLocked as why:
            name = str(why).partition(":")[0]
            left.locked[name] = left.locked.get(name, 0) + 1
            session.rollback()
            if not again:
                raise
    raise BadInput(f"Message {number} was refused {MOST_ATTEMPTS:,} times; begin with 'immediate'.")


def _met(meeting):
    """Wait until the other worker has read, too, or cannot."""
    with contextlib.suppress(threading.BrokenBarrierError):
        if not meeting.broken:
            meeting.wait(MEETING)
