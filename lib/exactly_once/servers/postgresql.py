"""A store in a schema of a PostgreSQL database, with PostgreSQL's own prepared transactions.

Each operation is one transaction, at read committed, and of one store only one at a time: an advisory lock keeps
them apart, as BEGIN IMMEDIATE does in SQLite. A part's version, its content, its Lamport stamp and the journal's line
are columns that change together.

`prepare` is PREPARE TRANSACTION, so its rows are held by PostgreSQL's own locks: what a row's `xmax` names and
`pg_prepared_xacts` lists holds it. The journal of what it changes is a row in `pending`, written by the prepared
transaction itself: it becomes visible with the changes, and the next operation of anybody enters it.

A process has one connection, a `Link`, for all of its stores on a server: made anew where it was lost, and waited for
only so long.
"""

import contextlib
import json
import os
import re
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import psycopg
from psycopg import errors, sql
from psycopg.rows import dict_row

from ..errors import BadInput, CourseError, OutcomeUnknown, in_one_line, one_of
from ..stores.codec import Value, decode, encode, tuples
from ..stores.in_doubt import KIND, LONGEST, PART, changes
from ..stores.interface import Origin, Reply, SQLStore, named
from ..stores.operations import HELD, KINDS, Blocked, Content, Note, Operation, operation_named
from .kinds import PostgreSQL

ANSWER_SECONDS = 20.0  # that a client waits for an answer, and for a server that is being started again
OPEN_SECONDS = 5.0  # after which the server ends a transaction whose client does nothing: it was stopped
LOCK_SECONDS = 1.0  # that a statement waits for a row that another session has locked
TABLES = """
CREATE TABLE parts (kind text, part text, version bigint, content text NOT NULL, PRIMARY KEY (kind, part));
CREATE TABLE clocks (part text PRIMARY KEY, stamp bigint NOT NULL);
CREATE TABLE journal (number bigint PRIMARY KEY, part text, verb text, value text, life bigint, step bigint,
                      item bigint, received bigint, sent bigint, inputs text, place bigint, wall double precision);
CREATE TABLE pending (gid text, notes text, origin text);
"""
MUTEX = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))"
LOST = (errors.QueryCanceled, errors.AdminShutdown, errors.CrashShutdown, errors.IdleInTransactionSessionTimeout)


class Link:
    """The one connection of a process to a server, for all of its stores there, one at a time."""

    _made: ClassVar[dict[tuple[int, str], "Link"]] = {}

    def __init__(self, url: str) -> None:
        self.url, self.lock, self.schema = url, threading.RLock(), ""
        self.connection: psycopg.Connection[Any] | None = None

    @classmethod
    def to(cls, url: str) -> "Link":
        """Return this process's link to a server; a forked process has links of its own."""
        return cls._made.setdefault((os.getpid(), url), cls(url))

    @property
    def where(self) -> str:
        """Return the server's address for people, without user and password."""
        return re.sub(r"//[^@/]*@", "//", self.url).partition("?")[0]

    def connected(self, schema: str) -> psycopg.Connection[Any]:
        """Return the connection, with the tables of a schema; it is made anew where it was lost.

        A server that was killed is being started again. Raises `CourseError` when none answers for `ANSWER_SECONDS`.
        """
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            try:
                if self.connection is None or self.connection.closed:
                    self.schema = ""
                    self.connection = psycopg.connect(self.url, autocommit=True, connect_timeout=5)
                    self.connection.execute(f"SET idle_in_transaction_session_timeout = '{OPEN_SECONDS}s'")
                    self.connection.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
                if self.schema != schema:
                    self._use(self.connection, schema)
                return self.connection
            except psycopg.Error as why:
                passing = not re.search("FATAL|missing", str(why)) or re.search("start|recovery|shutting", str(why))
                if not passing or time.monotonic() > deadline:
                    raise CourseError(
                        f"The PostgreSQL server at {self.where} cannot be reached ({in_one_line(why)}). Look whether "
                        "it runs, and whether the URL, the user and the password are right."
                    ) from None
                time.sleep(0.05)

    def _use(self, connection: psycopg.Connection[Any], schema: str) -> None:
        connection.execute(sql.SQL("SET search_path = {}").format(sql.Identifier(schema)))
        if connection.execute("SELECT to_regclass('journal')").fetchone() == (None,):
            with connection.transaction():
                connection.execute(MUTEX.replace("?", "%s"), (schema,))
                if connection.execute("SELECT to_regclass('journal')").fetchone() == (None,):
                    connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
                    connection.execute(TABLES)
        self.schema = schema

    @contextlib.contextmanager
    def explained(self, connection: psycopg.Connection[Any]) -> Iterator[None]:
        """Hang up after `ANSWER_SECONDS`, and turn PostgreSQL's errors into the course's."""
        late = threading.Timer(ANSWER_SECONDS, _hang_up, [connection.fileno()])
        late.daemon = True
        late.start()
        try:
            yield
        except errors.LockNotAvailable:
            raise Blocked("Another session's transaction holds a row that this one would change.") from None
        except psycopg.Error as why:
            if connection.closed or isinstance(why, LOST):
                raise OutcomeUnknown(
                    f"The connection to {self.where} was lost ({in_one_line(why)}): it was done or it was not."
                ) from None
            remedy = "Look into the server's log."
            if isinstance(why, errors.ObjectNotInPrerequisiteState) and "prepared" in str(why):
                remedy = "Set max_prepared_transactions in postgresql.conf, and start the server again."
            said = in_one_line(why).rstrip(".")
            raise CourseError(f"The PostgreSQL server at {self.where} refused a request: {said}. {remedy}") from why
        finally:
            late.cancel()
            late.join()


def _hang_up(number: int) -> None:
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(number)) as same:
        same.shutdown(socket.SHUT_RDWR)


HOLDER = "LEFT JOIN pg_prepared_xacts ON transaction = xmax AND database = current_database()"
ENDS = {"commit_prepared": "COMMIT PREPARED {}", "rollback_prepared": "ROLLBACK PREPARED {}"}


class PostgreSQLStore(SQLStore):
    """One system in one schema, for any thread of a process, one at a time.

    Raises `OutcomeUnknown` for an operation whose answer does not come, and `CourseError` when the server does not
    answer at all, or refuses.
    """

    def __init__(self, url: str, name: str, schema: str | None = None) -> None:
        """`url` is PostgreSQL's own, such as postgresql://user@host/database; `schema` is by default `name`."""
        self.url, self.name, self.schema = url, name, schema or name

    def do(self, part: str, verb: str, *arguments: Value, origin: Origin | None = None) -> Reply:
        """Carry out one operation and return a `Reply`. Those on prepared transactions are PostgreSQL's own."""
        if verb not in ("prepare", *ENDS):
            return super().do(part, verb, *arguments, origin=origin)
        operation, origin = operation_named(self.name, verb), origin or Origin()
        named(part)
        operation.refuse(arguments)
        gid = f"{self.schema}:{arguments[0]}"
        if len(gid.encode()) >= LONGEST:
            raise BadInput(
                f"The identifier of a prepared transaction is {len(gid.encode())} bytes long with its schema, and "
                f"PostgreSQL takes fewer than {LONGEST}; give a shorter one."
            )
        if verb == "prepare":
            answer = self._prepare(operation, part, arguments, gid, origin)
        else:
            answer = self._end(verb, gid)
        with self._transaction():
            noted = self._noted(gid) if answer else []
            notes = [
                Note(PART, verb, arguments[0] if answer else None),
                *(note for some, _ in noted for note in some),
            ]
            entries = self._journalled(notes, origin)
        return Reply(answer, entries[0].received, entries[0].sent)

    def _prepare(
        self, operation: Operation, part: str, arguments: tuple[Value, ...], gid: str, origin: Origin
    ) -> Value:
        """Make the changes, and have PREPARE TRANSACTION hold them. A session's lock lasts until it is done."""
        places = operation.places(part, arguments)
        with self._changing():  # a row that a prepared transaction inserts would be seen, and waited for, by nobody
            for kind, name in places[1:]:
                if not self._rows("SELECT 1 FROM parts WHERE kind = ? AND part = ?", kind, name):
                    self._put(kind, name, KINDS[kind].empty)
        with self._asked() as connection:
            connection.execute("BEGIN")
            self._rows(MUTEX.replace("xact_", ""), self.schema)
            try:
                before = [self._get(*place) for place in places]
                done = operation.carried_out(part, before, arguments, origin)
                if not done.answer:
                    connection.execute("ROLLBACK")
                    return done.answer
                notes: list[Note] = []
                for place, old, new in zip(places[1:], before[1:], done.contents[1:], strict=True):
                    if new is not old:
                        notes += changes(place, new)
                        self._put(*place, new[3])
                self._rows("INSERT INTO pending VALUES (?, ?, ?)", gid, encode(notes), encode(vars(origin)))
                connection.execute(sql.SQL("PREPARE TRANSACTION {}").format(gid))
                return done.answer
            finally:
                if not connection.closed:
                    connection.rollback()
                    self._rows("SELECT pg_advisory_unlock(hashtextextended(?, 0))", self.schema)

    def _end(self, verb: str, gid: str) -> bool:
        with self._asked() as connection:
            try:
                connection.execute(sql.SQL(ENDS[verb]).format(gid))
            except errors.UndefinedObject:
                return False
        return True

    def _noted(self, gid: str | None = None) -> list[tuple[list[Note], Origin]]:
        """Return the notes of prepared transactions that were committed (default: of all), and whose they are."""
        where = ("", ()) if gid is None else (" WHERE gid = ?", (gid,))
        found = self._rows(f"DELETE FROM pending{where[0]} RETURNING notes, origin", *where[1])
        origins = [decode(origin) for _, origin in found]
        return [
            ([Note(*note) for note in decode(notes)], Origin(**origin | {"inputs": tuples(origin["inputs"])}))
            for (notes, _), origin in zip(found, origins, strict=True)
        ]

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._asked() as connection, connection.transaction():
            self._rows(MUTEX, self.schema)
            yield

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        with self._transaction():
            for notes, origin in self._noted():
                self._journalled(notes, origin)
            yield

    def _looking(self) -> AbstractContextManager[object]:
        return self._asked()

    def _get(self, kind: str, part: str) -> Content:
        if kind == KIND:
            found = self._rows("SELECT gid FROM pg_prepared_xacts WHERE database = current_database() ORDER BY gid")
            start = f"{self.schema}:"
            return tuple((gid.removeprefix(start), ()) for (gid,) in found if gid.startswith(start))
        found = self._rows(
            f"SELECT version, content, gid FROM parts {HOLDER} WHERE kind = ? AND part = ?", kind, part
        )
        if not found:
            return KINDS[kind].empty
        version, text, gid = found[0]
        content = (version, text) if kind == "cell" else tuples(json.loads(text))
        return content if gid is None else (HELD, gid.removeprefix(f"{self.schema}:"), content, content)

    def _put(self, kind: str, part: str, content: Content) -> None:
        self._rows(
            "INSERT INTO parts VALUES (?, ?, ?, ?) ON CONFLICT (kind, part) DO UPDATE "
            "SET version = excluded.version, content = excluded.content",
            kind, part, *_written(kind, content),
        )  # fmt: skip

    def _rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        connection = Link.to(self.url).connection
        assert connection is not None
        cursor = connection.execute(statement.replace("?", "%s"), values)
        return cursor.fetchall() if cursor.description else []

    @contextlib.contextmanager
    def _asked(self) -> Iterator[psycopg.Connection[Any]]:
        """Give the connection, with the store's tables in reach, for `ANSWER_SECONDS`."""
        link = Link.to(self.url)
        with link.lock:
            connection = link.connected(self.schema)
            with link.explained(connection):
                yield connection

    def remove(self) -> None:
        """Roll back the prepared transactions of the store, and remove its schema."""
        with self._asked() as connection:
            for identifier, _ in self._get(KIND, PART):
                self._end("rollback_prepared", f"{self.schema}:{identifier}")
            connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(self.schema)))
            Link.to(self.url).schema = ""

    def close(self) -> None:
        """Close the connection, which all stores of this process on the server share; the next makes a new one."""
        link = Link.to(self.url)
        with link.lock:
            if link.connection is not None:
                link.connection.close()


def _written(kind: str, content: Content) -> tuple[int | None, str]:
    """Return a content as the columns hold it: a cell's version and value, or JSON."""
    return content if kind == "cell" else (None, json.dumps(content))


# A participant in doubt: a process is killed between PREPARE TRANSACTION and COMMIT PREPARED. The transaction stays,
# over a restart, too: it belongs to no session, and holds its rows. `pg_prepared_xacts` lists it; somebody who knows
# the coordinator's decision ends it.

WAIT = "200ms"  # that another writer waits for the row
PREPARED = "SELECT gid, prepared, owner, database FROM pg_prepared_xacts WHERE gid = %s"
OWNED = 'SELECT name, balance, gid AS "held by" FROM {} AS row LEFT JOIN pg_prepared_xacts ON transaction = row.xmax'
PREPARES = """import psycopg, sys
session = psycopg.connect(sys.argv[1], autocommit=True)
session.execute("BEGIN")
session.execute("UPDATE {table} SET balance = balance - 30 WHERE name = 'A'")
session.execute("PREPARE TRANSACTION '{gid}'")
print(flush=True)
sys.stdin.read()
"""


@dataclass(frozen=True, repr=False)
class InDoubt:
    """A prepared transaction that nobody is going to end, in a server.

    `prepared` is its row of pg_prepared_xacts; `row` is what a reader of the table sees, with the holder of the row,
    which its `xmax` names; `writer` is what another writer of the row hears.
    """

    postgresql: PostgreSQL
    table: str
    gid: str
    prepared: dict[str, object]
    row: dict[str, object]
    writer: str

    def __repr__(self) -> str:
        named = {"pg_prepared_xacts": self.prepared, f"a row of {self.table}": self.row}
        lines = [f"{what}: " + ", ".join(f"{name} {one}" for name, one in row.items()) for what, row in named.items()]
        return "\n".join([*lines, f"another writer of the row hears: {self.writer}"])

    def resolve(self, decision: Literal["commit", "rollback"]) -> int:
        """End the transaction as its coordinator decided, and return the balance then. Raises `BadInput`."""
        one_of("decision", decision, ("commit", "rollback"))
        with psycopg.connect(self.postgresql.url, autocommit=True) as session:
            session.execute(sql.SQL(f"{decision} PREPARED {{}}").format(self.gid))
            ((balance,),) = session.execute(f"SELECT balance FROM {self.table}").fetchall()
            return balance


def in_doubt(postgresql: PostgreSQL | None = None) -> InDoubt:
    """Kill a process after its PREPARE TRANSACTION, and the server, too, and look at what is there then.

    Raises `CourseError` where PostgreSQL cannot be had.
    """
    postgresql, name = postgresql or PostgreSQL.shared(), secrets.token_hex(3)
    table, gid = f"accounts_{name}", f"transfer-{name}"
    with psycopg.connect(postgresql.url, autocommit=True) as session:
        session.execute(f"CREATE TABLE {table} (name text PRIMARY KEY, balance bigint)")
        session.execute(f"INSERT INTO {table} VALUES ('A', 100)")
    code = PREPARES.format(table=table, gid=gid)
    process = subprocess.Popen(
        [sys.executable, "-c", code, postgresql.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        assert process.stdout is not None
        said = process.stdout.readline()
        process.kill()
    if not said:
        raise CourseError("The process could not prepare its transaction. Run the cell again.")
    postgresql.kill()
    postgresql.start()
    with psycopg.connect(postgresql.url, autocommit=True, row_factory=dict_row) as session:
        (prepared,) = session.execute(PREPARED, (gid,)).fetchall()
        (row,) = session.execute(sql.SQL(OWNED).format(sql.Identifier(table))).fetchall()
        session.execute(f"SET lock_timeout = '{WAIT}'")
        try:
            session.execute(f"UPDATE {table} SET balance = balance + 1 WHERE name = 'A'")
            writer = "accepted"
        except errors.LockNotAvailable as why:
            writer = str(why.diag.message_primary)
    return InDoubt(postgresql, table, gid, prepared, row, writer)
