"""The connection of a process to a PostgreSQL server: made anew where it was lost, and waited for only so long."""

import contextlib
import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any, ClassVar

import psycopg
from psycopg import errors, sql

from ..errors import CourseError, OutcomeUnknown, in_one_line
from ..stores.operations import Blocked

ANSWER_SECONDS = 20.0  # that a client waits for an answer, and for a server that is being started again
OPEN_SECONDS = 5.0  # after which the server ends a transaction whose client does nothing: it was stopped
LOCK_SECONDS = 1.0  # that a statement waits for a row that another session has locked
TABLES = """
CREATE TABLE parts (kind text, part text, version bigint, content text NOT NULL, PRIMARY KEY (kind, part));
CREATE TABLE clocks (part text PRIMARY KEY, stamp bigint NOT NULL);
CREATE TABLE journal (number bigint PRIMARY KEY, part text, verb text, value text, life bigint, step bigint,
                      item bigint, received bigint, sent bigint, inputs text, place bigint, wall double precision);
CREATE TABLE rows (name text COLLATE "C" PRIMARY KEY, value jsonb NOT NULL);
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
