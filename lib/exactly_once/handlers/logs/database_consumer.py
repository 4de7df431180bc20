"""Consumers of messages that keep their index in a database, in the transaction of the effect; several at once.

Each form is a function of an open transaction and the number of a message: it applies the message once, if the index
says that nobody has, and ends the transaction. `twins` makes a handler of it that runs on several nodes at once. At
which isolation level which form is right is for the explorer to say. The model of the database is
`stores.isolation`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ...errors import BadInput, one_of, whole
from ...node import Numbers, Program, Stores
from ...node.access import Session
from ...node.node import Handler, Node
from ...stores.codec import Value
from ...stores.isolation import KIND, LEVELS, PART, SerializationFailure

SHOP = "shop"  # the store
Apply: TypeAlias = Callable[[Session, int], object]


@dataclass(frozen=True)
class Messages(Numbers):
    """Messages with the numbers from `first` on, `count` of them, and a database that expects the first one.

    Its rows are "index", the number of the next message, "counter", the effects so far, and "messages", how many
    there are to apply; for forms in which each twin has rows of its own there are "index 1", "counter 1" and so on,
    too. A handler finds the messages' numbers as `node.messages`.
    """

    count: int = 1
    first: int = 5

    def settings(self) -> dict[str, Value]:
        """Return the numbers of the messages."""
        return {"messages": list(range(self.first, self.first + self.count))}

    def rows(self) -> dict[str, Value]:
        """Return the rows at the beginning."""
        found: dict[str, Value] = {"counter": 0, "index": self.first}
        found |= {f"{name} {twin}": value for name, value in found.items() for twin in (1, 2)}
        return found | {"messages": self.count}

    def load_inputs(self, stores: Stores) -> None:
        """Set up the rows."""
        stores[SHOP].prepare(PART, "set_up_rows", self.rows())


def set_index(session: Session, number: int) -> None:
    """Read the index; if it is the message's number apply the effect, and SET the index."""
    if session.read("index") != number:
        session.rollback()
        return
    session.add("counter", 1)
    session.update("index", number + 1)
    session.commit()


def where_index(session: Session, number: int) -> None:
    """SET the index WHERE it is still the message's number, and roll back if no row matched."""
    if session.read("index") != number:
        session.rollback()
        return
    session.add("counter", 1)
    if session.update_where("index", number, number + 1) == 1:
        session.commit()
    else:
        session.rollback()


def where_unchecked(session: Session, number: int) -> None:
    """The same, without a look at how many rows matched."""
    if session.read("index") != number:
        session.rollback()
        return
    session.add("counter", 1)
    session.update_where("index", number, number + 1)
    session.commit()


def for_update(session: Session, number: int) -> None:
    """Lock the index as it is read: SELECT … FOR UPDATE. Then SET it."""
    if session.read_for_update("index") != number:
        session.rollback()
        return
    session.add("counter", 1)
    session.update("index", number + 1)
    session.commit()


def inserted(session: Session, number: int) -> None:
    """Keep no index: insert a row for the message, whose key is unique, and roll back if it is there."""
    session.add("counter", 1)
    if session.insert(f"message {number}", "applied") == 1:
        session.commit()
    else:
        session.rollback()


def rows_of_its_own(twin: int) -> Apply:
    """Return the form of a twin that reads the index of both twins, and writes to rows of its own alone."""

    def apply(session: Session, number: int) -> None:
        if max(session.read("index 1"), session.read("index 2")) != number:
            session.rollback()
            return
        session.add(f"counter {twin}", 1)
        session.update(f"index {twin}", number + 1)
        session.commit()

    return apply


FORMS: dict[str, Apply | tuple[Apply, ...]] = {
    "SET": set_index,
    "WHERE, count not looked at": where_unchecked,
    "WHERE, count looked at": where_index,
    "FOR UPDATE, then SET": for_update,
    "INSERT of the number": inserted,
    "rows of its own": (rows_of_its_own(1), rows_of_its_own(2)),
}


def consuming(apply: Apply, level: str, again: bool = True) -> Handler:
    """Return the handler that applies every message at an isolation level.

    A transaction that fails with a `SerializationFailure` is run `again` from its beginning, as the manuals say, or
    the error is left to end the handler. Raises `BadInput` for an unknown level.
    """
    one_of("the isolation level", level, LEVELS)

    def consume(node: Node) -> None:
        for number in node.messages:  # type: ignore[attr-defined]  # a setting of the source
            in_transaction(node, apply, level, number, again)

    return consume


def in_transaction(node: Node, apply: Apply, level: str, number: int, again: bool) -> None:
    """Apply a message in a transaction of its own."""
    while True:
        session = node.store(SHOP).begin(level)
        try:
            apply(session, number)
            return
        except SerializationFailure:
            if not again:
                raise
            session.rollback()


def twins(
    apply: Apply | Sequence[Apply], level: str, messages: int = 1, nodes: int = 2, again: bool = True
) -> list[Program]:
    """Return the programs of `nodes` that apply the same messages at once; `apply` is one form, or one for each."""
    whole("the number of nodes", nodes, least=1)
    forms: list[Any] = list(apply) if isinstance(apply, (tuple, list)) else [apply] * nodes
    if len(forms) != nodes or not all(map(callable, forms)):
        raise BadInput(f"The form is {apply!r}; give a function of a session and a number, or one for each node.")
    return [Program(consuming(form, level, again), Messages(messages)) for form in forms]


def applied_once(view: Any) -> bool | str:
    """The invariant: no message is applied twice, and in the end each has been applied. `view` is a `View`."""
    rows = view.look(SHOP, PART, KIND)
    applied = sum(held for row, held in rows.items() if row.startswith("counter"))
    messages = rows["messages"]
    if applied > messages or (view.done and applied < messages):
        times = "time" if applied == 1 else "times"
        return f"the counter was moved {applied} {times} for {messages} message{'s' if messages != 1 else ''}"
    return True
