"""The messages of one step of a lock-free handler to one queue: values, with the name of the sender and the step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..errors import BadInput, whole
from ..stores import codec
from ..stores.codec import Value, describe, describe_as

if TYPE_CHECKING:
    from .node import Node


class Sent:
    """Values that one step sent, in their order: the content of a queue's cell.

    `sender` is the handler and `step` its step, which no other cell has both of: so an equal cell is the same
    message. `item` is the item of input behind it, as far as there is one.
    """

    __slots__ = ("item", "sender", "step", "values")

    def __init__(self, sender: str, step: int, values: Iterable[Value], item: int | None = None) -> None:
        if not isinstance(sender, str) or not sender:
            raise BadInput(f"The sender of a message is {sender!r}; give the handler's name.")
        self.sender, self.step, self.item = sender, whole("the step of a sender", step), item
        self.values = list(values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sent) and _plain(self) == _plain(other)

    def __repr__(self) -> str:
        return f"Sent({', '.join(map(repr, _plain(self)))})"


def sent_by(node: Node, sender: str, step: int, values: Iterable[Value]) -> Sent:
    """Return the values that one step sent, with the item that its node has read last: of that no handler hears."""
    return Sent(sender, step, values, node._life.item)


def values_of(held: Value) -> list[Value]:
    """Return the single values of a cell's content."""
    return held.values if isinstance(held, Sent) else [held]


def _plain(sent: Sent) -> list[Value]:
    return [sent.sender, sent.step, sent.values, sent.item]


codec.register("sent", Sent, _plain, lambda plain: Sent(*plain))
describe_as(Sent, lambda sent: ", ".join(map(describe, sent.values)))
