"""PostgreSQL's isolation levels, asked for real: the cases by which the model is tested, and the model's answers."""

import json

import psycopg
import pytest
from psycopg import errors

from exactly_once.servers import new_name
from tests.stores.isolation.test_hermitage import CASES

BEGINS = {"read committed": "READ COMMITTED", "snapshot": "REPEATABLE READ", "serializable": "SERIALIZABLE"}
SQL = {
    "read": "SELECT value FROM {rows} WHERE name = %(row)s",
    "all": "SELECT json_agg(json_build_array(name, value) ORDER BY name) FROM {rows}",
    "update": "UPDATE {rows} SET value = %(one)s WHERE name = %(row)s",
    "where": "UPDATE {rows} SET value = %(two)s WHERE name = %(row)s AND value = %(one)s",
    "add": "UPDATE {rows} SET value = value + %(one)s WHERE name = %(row)s",
    "insert": "INSERT INTO {rows} VALUES (%(row)s, %(one)s) ON CONFLICT DO NOTHING",
    "commit": "COMMIT",
    "abort": "ROLLBACK",
}
SCRIPTS = [
    pytest.param(level, script, group, id=f"{case}-{level}")
    for case, groups, script in CASES for group, levels in enumerate(groups) for level in levels if level in BEGINS
]  # fmt: skip


@pytest.fixture
def begun(postgresql):
    """Return a function that begins three transactions at a level; it returns what carries out their statements."""
    connections, rows = [psycopg.connect(postgresql.url, autocommit=True) for _ in range(4)], new_name()
    first = connections[0]
    first.execute(f"CREATE TABLE {rows} (name text PRIMARY KEY, value bigint)")
    first.execute(f"INSERT INTO {rows} VALUES ('1', 10), ('2', 20)")

    def begin(level):
        for connection in connections[1:]:
            connection.execute("SET lock_timeout = '200ms'")
            connection.execute(f"BEGIN ISOLATION LEVEL {BEGINS[level]}")
        return lambda life, *asked: answered(connections[life], rows, *asked)

    yield begin
    for connection in connections[1:]:
        connection.close()
    first.execute(f"DROP TABLE {rows}")
    first.close()


def answered(connection, rows, what, *arguments):
    """Return what a statement answers: "waits" for one that has to, which is undone, or the number of a refusal."""
    inside = what not in ("commit", "abort")
    try:
        if inside:
            connection.execute("SAVEPOINT before")
        given = dict(zip(("row", "one", "two"), arguments, strict=False))
        done = connection.execute(SQL[what].format(rows=rows), given)
    except errors.LockNotAvailable:
        connection.execute("ROLLBACK TO SAVEPOINT before")
        return "waits"
    except errors.SerializationFailure as why:
        connection.rollback()
        return why.sqlstate
    return json.dumps((done.fetchone()[0] if done.description else done.rowcount) if inside else None)


@pytest.mark.some(day=6, ci=9)
@pytest.mark.parametrize(("level", "script", "group"), SCRIPTS)
def test_a_case_of_hermitage_ends_as_the_model_ends_it(begun, level, script, group):
    asks, waiting = begun(level), {}
    for line in script.strip().splitlines():
        said, _, expected = line.partition("->")
        who, what, *rest = said.split()
        life, expected = int(who[1]), expected.split(" | ")[-1 if group else 0].strip()
        asked = waiting.pop(life) if what == "goes" else (what, *rest[:1], *map(int, rest[1:]))
        answer = asks(life, *asked)
        if answer == "waits":
            waiting[life] = asked
        assert answer == (expected or "null"), line
    assert not waiting
