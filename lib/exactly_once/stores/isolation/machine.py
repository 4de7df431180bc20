"""The database of rows as a kind of part, so that nodes use it, the explorer explores it, and any store keeps it."""

from collections.abc import Callable, Mapping
from typing import Any

from ...errors import BadInput, is_whole, whole
from ..codec import Value, describe
from ..operations import LARGEST, Acted, Kind, Operation, no_check, register, register_kind
from . import model
from .model import Refusal
from .transactions import REFUSALS, Database, Transaction

KIND, PART = "rows", "rows"


def opened(content: Any) -> Database:
    """Return the `Database` that a content holds."""
    if content is None:
        return Database()
    rows, *transactions = content
    found = [tuple(Transaction(*one) for one in some) for some in transactions]
    return Database(rows, *found)


def kept(database: Database) -> Any:
    """Return the content that holds a database: tuples of plain values."""
    if database == Database():
        return None
    return database.rows, tuple(map(tuple, database.open)), tuple(map(tuple, database.done))


def refused(answer: Value) -> Value:
    """Return an answer, unless it is a refusal: that is raised, as a `SerializationFailure`."""
    if isinstance(answer, dict):
        raise REFUSALS[answer["error"]](answer["says"])
    return answer


def _asked(statement: Callable[..., model.Answered]) -> Callable[..., Acted]:
    def act(content: Any, life: int, *arguments: Value) -> Acted:
        database, answer = statement(opened(content), life, *arguments)
        given = {"error": answer.code, "says": answer.says} if isinstance(answer, Refusal) else answer
        return kept(database), given, answer.code if isinstance(answer, Refusal) else given

    return act


def _set_up(content: Any, rows: Mapping[str, Value]) -> Acted:
    return kept(opened(content)._replace(rows=Database.of(rows).rows)), None, dict(rows)


def _passed(content: Any, life: int, successor: int | None) -> Any:
    return kept(model.passed(opened(content), life, successor))


def _held(value: Value) -> None:
    if not (value is None or isinstance(value, str) or is_whole(value)):
        raise BadInput(f"A row was given {value!r} to hold; it holds a whole number, a text, or None.")


def _check(life: Value, row: Value = None, *values: Value) -> None:
    whole("the incarnation that asks", life, most=LARGEST)
    if not isinstance(row, str) or not row:
        raise BadInput(f"The row is {row!r}; its name is text, such as 'index'.")
    for value in values:
        _held(value)


def _check_number(life: Value, row: Value, number: Value) -> None:
    _check(life, row)
    whole("the number to add", number, -LARGEST, LARGEST)


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
    carries_out: Callable[..., model.Answered],
    check: Callable[..., object] = no_check,
    answered: Callable[[Value], str] = said,
    blocks: bool = False,
) -> None:
    """Register a statement of a transaction: it is asked by an incarnation, over that incarnation's connection."""
    register(
        Operation(
            verb, KIND, ("life", *takes), does, _asked(carries_out), check, answered=answered, noted_text=_noted,
            blocks=blocks, owned=True, by_life=True, connected=True,
        )
    )  # fmt: skip


register_kind(KIND, Kind(None, lambda content: dict(opened(content).rows), _passed))
register(Operation("set_up_rows", KIND, ("rows",), "hold these rows, and no others", _set_up, _check_rows))
_statement("begin_rows", ("level",), "open a transaction", model.begin, blocks=True)
_statement("read_row", ("row",), "return what a row holds", model.read, _check)
_statement("read_rows", (), "return all rows", model.read_all)
_statement("lock_row", ("row",), "lock a row and return what it holds", model.read_for_update, _check, blocks=True)
_statement("update_row", ("row", "value"), "set a row", model.update, _check, counted, blocks=True)
_statement(
    "update_row_where", ("row", "expected", "value"), "set a row that holds a value", model.update_where, _check,
    counted, blocks=True,
)  # fmt: skip
_statement("add_to_row", ("row", "number"), "add to a row", model.add, _check_number, counted, blocks=True)
_statement(
    "insert_row", ("row", "value"), "insert a row unless it is there", model.insert, _check, counted, blocks=True
)
_statement("commit_rows", (), "commit", model.commit)
_statement("roll_back_rows", (), "roll back", model.rollback)
