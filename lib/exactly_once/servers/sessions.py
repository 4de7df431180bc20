"""Transactions on rows at PostgreSQL's isolation levels, each over the connection of the incarnation that opened it.

Where the model in `stores.isolation` says what PostgreSQL answers, this asks PostgreSQL. A statement that waits for
another transaction's row for longer than the lock timeout is undone to a savepoint, and asked again later.
"""

import json
from typing import Any

import psycopg
from psycopg import errors

from ..errors import BadInput, one_of
from ..stores.codec import Value
from ..stores.isolation import CALLED, KIND, LEVELS, POSTGRESQL, Database, SerializationFailure, kept
from ..stores.operations import Blocked, Content
from .link import Link

ROWS = KIND
BEGINS = {level: CALLED[level].partition(": ")[2] for level, product in LEVELS.items() if product == POSTGRESQL}
FAILED = SerializationFailure.sqlstate
NONE_OPEN = "This incarnation has no open transaction: it was committed or rolled back, or it failed; begin one."
STATEMENTS = {
    "read_row": "SELECT value FROM rows WHERE name = %s",
    "read_rows": "SELECT name, value FROM rows ORDER BY name",
    "lock_row": "SELECT value FROM rows WHERE name = %s FOR UPDATE",
    "update_row": "UPDATE rows SET value = %s::jsonb WHERE name = %s",
    "update_row_where": "UPDATE rows SET value = %s::jsonb WHERE name = %s AND value = %s::jsonb",
    "add_to_row": "UPDATE rows SET value = to_jsonb((value #>> '{}')::bigint + %s) WHERE name = %s",
    "insert_row": "INSERT INTO rows (value, name) VALUES (%s::jsonb, %s) ON CONFLICT DO NOTHING",
}
VERBS = {"begin_rows", "commit_rows", "roll_back_rows", *STATEMENTS}


class Sessions:
    """The connections of incarnations with open transactions on the rows of a schema."""

    def __init__(self, url: str, schema: str) -> None:
        self._url, self._schema = url, schema
        self._open: dict[int, psycopg.Connection[Any]] = {}

    def ask(self, verb: str, life: int, *arguments: Value) -> Value:
        """Carry out a statement of an incarnation, and return the answer; a refusal is {"error": …, "says": …}.

        Raises `Blocked` for one that has to wait, after the time that a statement may wait.
        """
        if verb == "begin_rows":
            return self._begin(life, *arguments)
        connection = self._open.get(life)
        if connection is None:
            if verb == "roll_back_rows":
                return None
            raise BadInput(NONE_OPEN)
        with Link.to(self._url).explained(connection):
            try:
                if verb in STATEMENTS:
                    return self._asked(connection, verb, *arguments)
                connection.execute("COMMIT" if verb == "commit_rows" else "ROLLBACK")
            except (errors.SerializationFailure, errors.DeadlockDetected) as why:
                self.end(life)
                return {"error": FAILED, "says": f"SQLSTATE {why.sqlstate}: {why.diag.message_primary}. Begin again."}
        self.end(life)
        return None

    def _begin(self, life: int, level: str) -> None:
        if one_of("the isolation level", level, LEVELS) not in BEGINS:
            raise BadInput(f"{level!r} is a level of {LEVELS[level]}; PostgreSQL's are {', '.join(BEGINS)}.")
        if life in self._open:
            raise BadInput(
                "This incarnation has an open transaction; commit it or roll it back before the next one begins."
            )
        self._open[life] = Link(self._url).connected(self._schema)
        self._open[life].execute(f"BEGIN ISOLATION LEVEL {BEGINS[level]}")

    def _asked(self, connection: psycopg.Connection[Any], verb: str, *arguments: Value) -> Value:
        row, *values = arguments or ("",)
        given: tuple[Value, ...]
        if verb == "update_row_where":
            given = (json.dumps(values[1]), row, json.dumps(values[0]))
        elif verb == "add_to_row":
            given = (values[0], row)
        else:
            given = (*map(json.dumps, values), *arguments[:1])
        connection.execute("SAVEPOINT before")
        try:
            done = connection.execute(STATEMENTS[verb], given)
        except errors.LockNotAvailable:
            connection.execute("ROLLBACK TO SAVEPOINT before")
            raise Blocked(f"Another transaction holds the row {row!r}.") from None
        if verb == "read_rows":
            return [list(pair) for pair in done.fetchall()]
        if done.description:
            found = done.fetchone()
            return found and found[0]
        return done.rowcount

    def end(self, life: int | None = None) -> None:
        """Close the connection of an incarnation (default: of all); what is open is rolled back."""
        for one in list(self._open) if life is None else [life]:
            self._open.pop(one).close()


def content_of(rows: list[tuple[str, Value]]) -> Content:
    """Return the content of a part of the kind "rows" for the committed rows."""
    return kept(Database.of(dict(rows)))
