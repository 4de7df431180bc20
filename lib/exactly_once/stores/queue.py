"""Queues in a store, and which of their writers have ended, so that a reader finds the end.

One kind is a part that holds messages by offset. The other is made of cells, one for each message, which a lock-free
queue fills by compare-and-swap; here is only the wait of a reader of several of them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import BadInput, whole
from .codec import Value, decode, describe, encode
from .operations import (
    KINDS,
    LARGEST,
    Acted,
    Content,
    Done,
    Kind,
    NoInput,
    Note,
    Operation,
    Place,
    register,
    register_kind,
)

KIND = "queue"  # ((text of a message, its item) in their order, numbers of the writers that have ended)
CLOSED = "closed"  # numbers of the writers of a queue of cells that have ended


class AnyFilled(Operation):
    """Waits until one cell at least of several queues is filled, or all who fill them have ended."""

    def places(self, part: str, arguments: Sequence[Value]) -> list[Place]:
        """Return the next cell of each queue, and who of its writers has ended."""
        cells = arguments[0]
        return [("cell", name) for name in cells.values()] + [(CLOSED, queue) for queue in cells]

    def carry_out(
        self, part: str, contents: Sequence[Content], arguments: Sequence[Value], origin: object = None
    ) -> Done:
        """Answer {queue: value} of the cells that are filled; None when none is and all writers have ended."""
        cells, writers = arguments
        filled = zip(cells, contents, strict=False)
        found = {queue: decode(text) for queue, (version, text) in filled if version != KINDS["cell"].empty[0]}
        ended = zip(cells, contents[len(cells) :], strict=True)
        if not found and not all(set(writers.get(queue, ())) <= set(closed) for queue, closed in ended):
            raise NoInput(f"No message is in {', '.join(cells.values())}, and writers of a queue have not ended.")
        seen = [Note(cells[queue], self.verb, None) for queue in found]  # what is read was written before
        return Done(contents, found or None, [Note(part, self.verb, None), *seen])


def _enqueue(content: Content, message: Value, origin: Any = None) -> Acted:
    (messages, closed), item = content, None if origin is None else origin.item
    number = len(messages) + 1 if item is None else item
    return ((*messages, (encode(message), number)), closed), len(messages), message


def _next(content: Content, offset: int, writers: Sequence[int]) -> Acted:
    messages, closed = content
    if offset < len(messages):
        text, number = messages[offset]
        return content, [decode(text), number], None
    if set(writers) <= set(closed):
        return content, None, None
    raise NoInput(f"No message is at offset {offset}, and writers of the queue have not ended.")


def _close_queue(content: Content, writer: int) -> Acted:
    messages, closed = content
    return (messages, tuple(sorted({*closed, writer}))), None, writer


def _close_cells(content: Content, writer: int) -> Acted:
    return tuple(sorted({*content, writer})), None, writer


def _check_any_filled(cells: Value, writers: Value) -> None:
    if not isinstance(cells, Mapping) or not cells or not all(isinstance(name, str) for name in cells.values()):
        raise BadInput(f"The cells to wait for are {cells!r}; they map each queue to the name of its next cell.")
    if not isinstance(writers, Mapping):
        raise BadInput(f"The writers of the queues are {writers!r}; they map each queue to its nodes' numbers.")


def _check_next(offset: Value, writers: Value) -> None:
    whole("the offset to read from", offset, most=LARGEST)
    if not isinstance(writers, (list, tuple)):
        raise BadInput(f"The writers of a queue are {writers!r}; give the list of their nodes' numbers.")


def _said(found: Value) -> str:
    return "the end" if found is None else describe(found[0])


def _what_is_there(found: Value) -> str:
    return "the end" if found is None else ", ".join(f"{queue} {describe(value)}" for queue, value in found.items())


register_kind(CLOSED, Kind((), list))
register_kind(KIND, Kind(((), ()), lambda content: [decode(text) for text, _ in content[0]]))
for _operation in (
    Operation("enqueue", KIND, ("message",), "add a message at the end; return its offset", _enqueue,
              encode, keeps_origin=True),
    Operation("next", KIND, ("offset", "writers"), "wait for the message at an offset; None when all writers ended",
              _next, _check_next, reads=True, blocks=True, answered=_said),
    Operation("close_queue", KIND, ("writer",), "note that a writer has ended", _close_queue,
              lambda writer: whole("the writer of a queue", writer, least=1, most=LARGEST), sure=True),
    AnyFilled("any_filled", CLOSED, ("cells", "writers"),
              "for {queue: cell}, wait until one is filled; return {queue: value}, None when all writers ended",
              None, _check_any_filled, reads=True, blocks=True, answered=_what_is_there),
    Operation("close_cells", CLOSED, ("writer",), "note that a writer of a queue of cells has ended", _close_cells,
              lambda writer: whole("the writer of a queue", writer, least=1, most=LARGEST), sure=True),
):  # fmt: skip
    register(_operation)
