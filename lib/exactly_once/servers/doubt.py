"""A participant in doubt in PostgreSQL: a process is killed between PREPARE TRANSACTION and COMMIT PREPARED.

The transaction stays, over a restart, too: it belongs to no session, and holds its rows. `pg_prepared_xacts` lists
it; somebody who knows the coordinator's decision ends it.
"""

import secrets
import subprocess
import sys
from dataclasses import dataclass
from typing import Literal

import psycopg
from psycopg import errors, sql
from psycopg.rows import dict_row

from ..errors import CourseError, one_of
from .kinds import PostgreSQL

WAIT = "200ms"  # that another writer waits for the row
PREPARED = "SELECT gid, prepared, owner, database FROM pg_prepared_xacts WHERE gid = %s"
ROWS = 'SELECT name, balance, gid AS "held by" FROM {} AS row LEFT JOIN pg_prepared_xacts ON transaction = row.xmax'
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
        (row,) = session.execute(sql.SQL(ROWS).format(sql.Identifier(table))).fetchall()
        session.execute(f"SET lock_timeout = '{WAIT}'")
        try:
            session.execute(f"UPDATE {table} SET balance = balance + 1 WHERE name = 'A'")
            writer = "accepted"
        except errors.LockNotAvailable as why:
            writer = str(why.diag.message_primary)
    return InDoubt(postgresql, table, gid, prepared, row, writer)
