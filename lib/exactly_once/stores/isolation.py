"""A database of rows whose transactions run at once, each at the isolation level of one of two products.

A database is a plain value, and each statement a function of it: (database, life, …) → (database, answer). An
incarnation has one connection, so at most one transaction is open for it. A statement that has to wait raises
`Blocked`, and nothing has taken place. One that fails is answered with a `Refusal`. Rows are asked for by their
key, as by a primary key, so no statement scans and locks rows that it does not want.

The levels are those of PostgreSQL ("read committed", "snapshot", which PostgreSQL calls repeatable read, and
"serializable") and of MySQL's InnoDB ("repeatable read").
This model does not end a deadlock: PostgreSQL (SQLSTATE 40P01) and InnoDB (error 1213) find it and roll one of the
transactions back, here both wait. And since nothing takes place while a statement waits, a transaction whose very
first statement has to wait takes its snapshot once it goes on, and not before.

At the end the database is a kind of part, so that nodes use it, the explorer explores it, and any store keeps it.

Sources: H. Berenson et al., "A Critique of ANSI SQL Isolation Levels", SIGMOD 1995; A. Adya, "Weak Consistency", MIT
1999; D. Ports and K. Grittner, "Serializable Snapshot Isolation in PostgreSQL", VLDB 2012; M. Kleppmann, Hermitage,
whose cases the tests run; the manuals of both products.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from ..errors import BadInput, CourseError, is_whole, one_of
from .codec import Value, describe
from .operations import LIFE, NUMBER, Acted, Blocked, Kind, Operation, register, register_kind


class SerializationFailure(CourseError):
    """SQLSTATE 40001: the transaction is rolled back, and has to be run again from its first statement."""

    sqlstate = "40001"


Row: TypeAlias = str
Held: TypeAlias = int | str | None  # the value of a row
Rows: TypeAlias = tuple[tuple[Row, Held], ...]  # sorted by row

LEVELS = {  # each product's name of the level
    "read committed": "PostgreSQL: READ COMMITTED",
    "repeatable read": "MySQL: REPEATABLE READ",
    "snapshot": "PostgreSQL: REPEATABLE READ",
    "serializable": "PostgreSQL: SERIALIZABLE",
}
ALL = "*"  # in the rows that a transaction has read: all rows, also future ones


class Transaction(NamedTuple):
    """An open transaction, or one that has committed while others that ran beside it are open.

    `snapshot` are the rows as they stood when it was taken, None before. `written` are its own new values, whose rows
    are locked, `locked` further rows that it holds. `changed` are the rows that others have committed since the
    snapshot. The rest is for the level "serializable": `reads` are the rows that it has read; `before` are the
    numbers of those whose commit its snapshot shows; `doomed` tells that it has to fail.
    """

    number: int
    life: int
    level: str
    snapshot: Rows | None = None
    written: Rows = ()
    locked: tuple[Row, ...] = ()
    changed: tuple[Row, ...] = ()
    reads: tuple[Row, ...] = ()
    before: tuple[int, ...] = ()
    doomed: bool = False

    @property
    def keeps_snapshot(self) -> bool:
        """Whether all its reads show the rows as they stood at the first one."""
        return self.level != "read committed"


class Database(NamedTuple):
    """Committed rows, open transactions by incarnation, and concurrent serializable ones in their commit order."""

    rows: Rows = ()
    open: tuple[Transaction, ...] = ()
    done: tuple[Transaction, ...] = ()

    @classmethod
    def of(cls, rows: Mapping[Row, Held]) -> "Database":
        """Return a database that holds these rows."""
        return cls(in_order(rows))

    def of_life(self, life: int) -> Transaction | None:
        """Return the transaction that is open for an incarnation, or None."""
        return next((one for one in self.open if one.life == life), None)


def in_order(rows: Mapping[Row, Held]) -> Rows:
    """Return rows as a database keeps them."""
    return tuple(sorted(rows.items()))


def holder(database: Database, life: int, row: Row) -> Transaction | None:
    """Return the open transaction of another incarnation that holds the lock of a row, or None."""
    return next((one for one in database.open if one.life != life and row in _locks(one)), None)


def _locks(one: Transaction) -> Iterable[Row]:
    return (*one.locked, *(row for row, _ in one.written))


CONCURRENT_UPDATE = (
    "SQLSTATE 40001: could not serialize access due to concurrent update. The row {!r} was changed by a transaction "
    "that committed after this one took its snapshot; this one is rolled back: begin again, and read again."
)
DEPENDENCIES = (
    "SQLSTATE 40001: could not serialize access due to read/write dependencies among transactions. This one is "
    "rolled back: begin again, and read again."
)
ONE_OPEN = "This incarnation has an open transaction; commit it or roll it back before the next one begins."
NONE_OPEN = "This incarnation has no open transaction: it was committed or rolled back, or it failed; begin one."


class Refusal(NamedTuple):
    """The answer to a failed statement: the code, and the sentence."""

    code: str
    says: str


Answer: TypeAlias = Held | list[list[Held]] | Refusal
Answered: TypeAlias = tuple[Database, Answer]


def begin(database: Database, life: int, level: str) -> Answered:
    """Open a transaction."""
    one_of("the isolation level", level, LEVELS)
    if database.of_life(life) is not None:
        raise BadInput(ONE_OPEN)
    product = LEVELS[level].partition(":")[0]
    for one in database.open:
        if not LEVELS[one.level].startswith(product):
            raise BadInput(f"A transaction of {LEVELS[one.level]} is open, and {level!r} is a level of {product}.")
    used = {one.number for one in (*database.open, *database.done)}
    number = next(number for number in range(len(used) + 1) if number not in used)
    mine = Transaction(number, life, level)
    return database._replace(open=tuple(sorted((*database.open, mine), key=lambda one: one.life))), None


def read(database: Database, life: int, row: Row) -> Answered:
    """Return the value of a row, as this transaction sees it; None if it is not there. It never waits."""
    return _reading(database, life, row, lambda seen: seen.get(row))


def read_all(database: Database, life: int) -> Answered:
    """Return all rows as [row, value], as this transaction sees them. It never waits."""
    return _reading(database, life, ALL, lambda seen: [list(pair) for pair in sorted(seen.items())])


def read_for_update(database: Database, life: int, row: Row) -> Answered:
    """Lock a row until the end of the transaction, and return its value: SELECT … FOR UPDATE."""
    return _changing(database, life, row, lambda rows: row in rows, None)


def update(database: Database, life: int, row: Row, value: Held) -> Answered:
    """SET a row; return how many rows matched: 1, or 0 if it is not there."""
    return _changing(database, life, row, lambda rows: row in rows, lambda held: value)


def update_where(database: Database, life: int, row: Row, expected: Held, value: Held) -> Answered:
    """SET a row WHERE it holds `expected`; return how many rows matched, 1 or 0."""
    return _changing(database, life, row, lambda rows: row in rows and rows[row] == expected, lambda held: value)


def add(database: Database, life: int, row: Row, number: int) -> Answered:
    """SET a row to its value plus a number, in one statement; return how many rows matched, 1 or 0."""

    def added(held: Held) -> Held:
        if not isinstance(held, int):
            raise BadInput(f"The row {row!r} holds {held!r}, to which nothing can be added; it has to be a number.")
        return held + number

    return _changing(database, life, row, lambda rows: row in rows, added)


def insert(database: Database, life: int, row: Row, value: Held) -> Answered:
    """INSERT … ON CONFLICT DO NOTHING: return how many rows were inserted, 1 or 0."""
    return _changing(database, life, row, lambda rows: row not in rows, lambda held: value)


def commit(database: Database, life: int) -> Answered:
    """Make the open transaction's changes permanent, all at once; its locks are free."""
    mine = _mine(database, life)
    if mine.doomed:
        return _without(database, mine), Refusal("40001", DEPENDENCIES)
    rows = tuple(row for row, _ in mine.written)
    others = tuple(
        one if one.snapshot is None else one._replace(changed=tuple(sorted({*one.changed, *rows})))
        for one in database.open
        if one is not mine
    )
    after = database._replace(rows=in_order(dict(database.rows) | dict(mine.written)), open=others)
    if mine.level == "serializable" and mine.snapshot is not None:
        mine = mine._replace(life=-1, snapshot=(), locked=(), changed=())
        after = doom(after._replace(done=(*after.done, mine)), None)
    return pruned(after), None


def rollback(database: Database, life: int) -> Answered:
    """Undo the open transaction; its locks are free. Where none is open, since it failed, nothing happens."""
    mine = database.of_life(life)
    return (database if mine is None else _without(database, mine)), None


def _reading(database: Database, life: int, row: Row, answer: Callable[[dict[Row, Held]], Answer]) -> Answered:
    mine = _mine(database, life)
    if mine.doomed:
        return _without(database, mine), Refusal("40001", DEPENDENCIES)
    mine = _with_snapshot(database, mine)
    seen = dict(mine.snapshot or () if mine.keeps_snapshot else database.rows) | dict(mine.written)
    return _checked(_with(database, _having_read(mine, row)), life, answer(seen))


def _changing(
    database: Database,
    life: int,
    row: Row,
    matches: Callable[[dict[Row, Held]], bool],
    changed: Callable[[Held], Held] | None,
) -> Answered:
    """Lock a row if it matches, and change it; `changed` None only locks it.

    Here lies the difference between the levels: which version of the row is asked whether it matches, whether the
    statement then waits, and what it makes of a version that came after its snapshot.
    """
    mine = _mine(database, life)
    if mine.doomed:
        return _without(database, mine), Refusal("40001", DEPENDENCIES)
    if mine.level != "repeatable read":  # InnoDB's snapshot is that of the first plain read
        mine = _with_snapshot(database, mine)
    mine, missed = _having_read(mine, row), None if changed is None else 0
    first_updater_wins = mine.level in ("snapshot", "serializable")
    seen = dict(mine.snapshot or () if first_updater_wins else database.rows) | dict(mine.written)
    if mine.level != "repeatable read" and not matches(seen):  # InnoDB locks a row before it asks
        return _checked(_with(database, mine), life, missed)
    if (other := holder(database, life, row)) is not None:
        raise Blocked(f"The transaction of incarnation {other.life} holds the row {row!r}.", other.life)
    if first_updater_wins and row in mine.changed:
        return _without(database, mine), Refusal("40001", CONCURRENT_UPDATE.format(row))
    if changed is None or not matches(seen):
        mine = _locking(mine, row) if row in seen else mine
        return _checked(_with(database, mine), life, seen[row] if changed is None and row in seen else missed)
    mine = mine._replace(written=in_order(dict(mine.written) | {row: changed(seen.get(row))}))
    return _checked(_with(database, mine), life, 1)


def _mine(database: Database, life: int) -> Transaction:
    found = database.of_life(life)
    if found is None:
        raise BadInput(NONE_OPEN)
    return found


def _with_snapshot(database: Database, mine: Transaction) -> Transaction:
    """Return a transaction with its snapshot, which the first statement takes, and not `begin`."""
    if mine.snapshot is not None or not mine.keeps_snapshot:
        return mine
    serializable = mine.level == "serializable"
    before = tuple(sorted(one.number for one in database.done)) if serializable else ()
    return mine._replace(snapshot=database.rows, before=before)


def _having_read(mine: Transaction, row: Row) -> Transaction:
    return mine._replace(reads=tuple(sorted({*mine.reads, row}))) if mine.level == "serializable" else mine


def _locking(mine: Transaction, row: Row) -> Transaction:
    return mine._replace(locked=tuple(sorted({*mine.locked, row})))


def _with(database: Database, mine: Transaction) -> Database:
    return database._replace(open=tuple(mine if one.life == mine.life else one for one in database.open))


def _without(database: Database, mine: Transaction) -> Database:
    return pruned(database._replace(open=tuple(one for one in database.open if one.life != mine.life)))


def _checked(database: Database, life: int, answer: Answer) -> Answered:
    """Return (database, answer), or the refusal if this statement made the incarnation's own transaction fail."""
    database = doom(database, life)
    mine = _mine(database, life)
    return (_without(database, mine), Refusal("40001", DEPENDENCIES)) if mine.doomed else (database, answer)


def doom(database: Database, life: int | None) -> Database:
    """Mark those transactions that have to fail so that what commits is serializable.

    Of two concurrent ones, one *depends* on the other if it read a value that the other overwrote. The pattern T1 →
    T2 → T3, in which T3 commits first, is part of every history that is not serializable. The one in the middle
    fails, or, when it has committed, the one whose statement completes the pattern.
    """
    order = {one.number: place for place, one in enumerate(database.done)}
    everyone = (*database.done, *(one for one in database.open if one.level == "serializable"))
    doomed: set[int | None] = set()
    for last in database.done:
        after = [one for one in everyone if order.get(one.number, len(order)) > order[last.number]]
        for middle in after:
            if middle.doomed or not _depends(middle, last):
                continue
            for first in (last, *after):
                if first.number != middle.number and not first.doomed and _depends(first, middle):
                    only_read = first.number in order and not first.written
                    if not only_read or last.number in first.before:
                        doomed.add(life if middle.number in order else middle.life)
    return database._replace(
        open=tuple(one._replace(doomed=one.doomed or one.life in doomed) for one in database.open)
    )


def _depends(reader: Transaction, writer: Transaction) -> bool:
    """Tell whether a transaction has read a version that another one, which ran beside it, replaced."""
    if writer.number in reader.before or reader.number in writer.before:
        return False
    rows = {row for row, _ in writer.written}
    return bool(rows) and (ALL in reader.reads or not rows.isdisjoint(reader.reads))


def pruned(database: Database) -> Database:
    """Forget committed transactions that can matter to no open one, now or later."""
    going = [one for one in database.open if one.level == "serializable" and one.snapshot is not None]
    needed = [one for one in database.done if any(one.number not in other.before for other in going)]
    more = needed
    while more:
        more = [one for one in database.done if one not in needed and any(_depends(other, one) for other in more)]
        needed += more
    numbers = {one.number for one in needed}

    def without_forgotten(one: Transaction) -> Transaction:
        return one._replace(before=tuple(number for number in one.before if number in numbers))

    return database._replace(
        open=tuple(map(without_forgotten, database.open)),
        done=tuple(without_forgotten(one) for one in database.done if one.number in numbers),
    )


KIND, PART = "rows", "rows"


def opened(content: Any) -> Database:
    """Return the `Database` that a content holds."""
    rows, *transactions = content
    found = [tuple(Transaction(*one) for one in some) for some in transactions]
    return Database(rows, *found)


def refused(answer: Value) -> Value:
    """Return an answer, unless it is a refusal: that is raised, as a `SerializationFailure`."""
    if isinstance(answer, dict):
        raise SerializationFailure(answer["says"])
    return answer


def _asked(statement: Callable[..., Answered]) -> Callable[..., Acted]:
    def act(content: Any, life: int, *arguments: Value) -> Acted:
        database, answer = statement(opened(content), life, *arguments)
        given = {"error": answer.code, "says": answer.says} if isinstance(answer, Refusal) else answer
        return database, given, answer.code if isinstance(answer, Refusal) else given

    return act


def _set_up(content: Any, rows: Mapping[str, Value]) -> Acted:
    return opened(content)._replace(rows=in_order(rows)), None, dict(rows)


def _passed(content: Any, life: int, successor: int | None) -> Database:
    """Return the content after an incarnation is over, as when its connection is closed, or has a successor."""
    database = opened(content)
    mine = database.of_life(life)
    if mine is None:
        return database
    if successor is None:
        return _without(database, mine)
    renamed = (one._replace(life=successor) if one is mine else one for one in database.open)
    return database._replace(open=tuple(sorted(renamed, key=lambda one: one.life)))


def _held(value: Value) -> None:
    if not (value is None or isinstance(value, str) or is_whole(value)):
        raise BadInput(f"A row was given {value!r} to hold; it holds a whole number, a text, or None.")


def _check_row(row: Value) -> None:
    if not isinstance(row, str) or not row:
        raise BadInput(f"The row is {row!r}; its name is text, such as 'index'.")


def _check_rows(rows: Value) -> None:
    if not isinstance(rows, dict) or not all(isinstance(name, str) for name in rows):
        raise BadInput(f"The rows are {rows!r}; they map each row's name to what it holds.")
    for value in rows.values():
        _held(value)


def said(answer: Value) -> str:
    """Return an answer in words."""
    if isinstance(answer, dict):
        return f"refused: {answer['error']}"
    return "done" if answer is None else describe(answer)


def counted(answer: Value) -> str:
    """Return the answer of a statement that counts rows, in words."""
    return said(answer) if isinstance(answer, dict) else f"{answer} row{'s' if answer != 1 else ''}"


def _noted(noted: Value) -> str:
    return "nothing" if noted is None else describe(noted)


def _statement(
    verb: str,
    takes: tuple[str, ...],
    does: str,
    carries_out: Callable[..., Answered],
    checks: tuple[Callable[[Any], object], ...] = (_check_row, _held, _held),
    answered: Callable[[Value], str] = said,
    blocks: bool = False,
) -> None:
    """Register a statement of a transaction: it is asked by an incarnation, over that incarnation's connection."""
    register(
        Operation(
            verb, KIND, ("life", *takes), does, _asked(carries_out), (LIFE, *checks), answered=answered,
            noted_text=_noted, blocks=blocks, owned=True, by_life=True, connected=True,
        )
    )  # fmt: skip


register_kind(KIND, Kind(Database(), lambda content: dict(opened(content).rows), _passed))
register(Operation("set_up_rows", KIND, ("rows",), "hold these rows, and no others", _set_up, (_check_rows,)))
_statement("begin_rows", ("level",), "open a transaction", begin, ())
_statement("read_row", ("row",), "return what a row holds", read)
_statement("read_rows", (), "return all rows", read_all)
_statement("lock_row", ("row",), "lock a row and return what it holds", read_for_update, blocks=True)
_statement("update_row", ("row", "value"), "set a row", update, answered=counted, blocks=True)
_statement(
    "update_row_where", ("row", "expected", "value"), "set a row that holds a value", update_where,
    answered=counted, blocks=True,
)  # fmt: skip
_statement("add_to_row", ("row", "number"), "add to a row", add, (_check_row, NUMBER), counted, blocks=True)
_statement("insert_row", ("row", "value"), "insert a row unless it is there", insert, answered=counted, blocks=True)
_statement("commit_rows", (), "commit", commit)
_statement("roll_back_rows", (), "roll back", rollback)
