"""A transaction on the rows of a database, as one incarnation sees it over its own connection."""

from ...stores.codec import Value, describe
from ...stores.isolation import PART, refused
from ..life import Life


class Session:
    """An open transaction of a database of rows, at an isolation level; see `stores.isolation.LEVELS`.

    Each method is a step. An incarnation has one connection to a database, hence one open transaction; when the
    incarnation ends, gives up or dies the database rolls it back. A statement that changes a row, or asks to, waits
    while another transaction holds the row's lock. Every statement, and `commit`, may raise `SerializationFailure`:
    then run the transaction again from its first statement. Source: the model, `stores.isolation`.
    """

    def __init__(self, life: Life, store: str, level: str) -> None:
        self._life, self._store, self.level = life, store, level
        self._ask("begin_rows", "begin", level, text=f"begin ({level})")

    def read(self, row: str) -> Value:
        """Return the value of a row, as this transaction sees it; None if it is not there. It never waits."""
        return self._ask("read_row", "read", row, text=f"read {row}")

    def read_all(self) -> dict[str, Value]:
        """Return {row: value}, as this transaction sees it. It never waits."""
        return dict(self._ask("read_rows", "read", text="read all rows"))

    def read_for_update(self, row: str) -> Value:
        """Lock a row until this transaction ends, and return its value: SQL's SELECT … FOR UPDATE."""
        return self._ask("lock_row", "read_for_update", row, text=f"read {row} for update")

    def update(self, row: str, value: Value) -> int:
        """Set a row without a condition on its value; return how many rows matched: 1, or 0 if it is not there."""
        return self._ask("update_row", "update", row, value, text=f"set {row} = {describe(value)}")

    def update_where(self, row: str, expected: Value, value: Value) -> int:
        """Set a row if it holds `expected`; return how many rows matched: 1 or 0."""
        said = f"set {row} = {describe(value)} where it is {describe(expected)}"
        return self._ask("update_row_where", "update", row, expected, value, text=said)

    def add(self, row: str, number: int) -> int:
        """Add a number to the value of a row, in one statement; return how many rows matched: 1 or 0."""
        return self._ask("add_to_row", "update", row, number, text=f"add {number} to {row}")

    def insert(self, row: str, value: Value) -> int:
        """Insert a row unless it is there (SQL's ON CONFLICT DO NOTHING); return how many were inserted: 1 or 0."""
        return self._ask("insert_row", "insert", row, value, text=f"insert {row} = {describe(value)}")

    def commit(self) -> None:
        """Commit: all changes take place, and the locks are free."""
        self._ask("commit_rows", "commit", text="commit")

    def rollback(self) -> None:
        """Roll back: nothing takes place, and the locks are free. After a failure there is nothing to undo."""
        self._ask("roll_back_rows", "rollback", text="roll back")

    def _ask(self, verb: str, step: str, *arguments: Value, text: str) -> Value:
        life, name = self._life, f"row.{step}"  # and no local variable for the store: an explorer cannot see into it
        life.locked = True
        return refused(
            life.step(life.world.store(self._store), PART, verb, life.number, *arguments, name=name, text=text)
        )
