"""A queue in a store: messages by offset, and which of its writers have ended, so that a reader finds the end."""

from collections.abc import Sequence
from typing import Any

from ..errors import BadInput, whole
from .codec import Value, decode, encode
from .describe import describe
from .operations import LARGEST, Acted, Blocked, Content, Kind, Operation, register, register_kind

KIND = "queue"  # ((text of a message, its item) in their order, numbers of the writers that have ended)


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
    raise Blocked(f"No message is at offset {offset}, and writers of the queue have not ended.")


def _close_queue(content: Content, writer: int) -> Acted:
    messages, closed = content
    return (messages, tuple(sorted({*closed, writer}))), None, writer


def _check_next(offset: Value, writers: Value) -> None:
    whole("the offset to read from", offset, most=LARGEST)
    if not isinstance(writers, (list, tuple)):
        raise BadInput(f"The writers of a queue are {writers!r}; give the list of their nodes' numbers.")


def _said(found: Value) -> str:
    return "the end" if found is None else describe(found[0])


register_kind(KIND, Kind(((), ()), lambda content: [decode(text) for text, _ in content[0]]))
for _operation in (
    Operation("enqueue", KIND, ("message",), "add a message at the end; return its offset", _enqueue,
              encode, keeps_origin=True),
    Operation("next", KIND, ("offset", "writers"), "wait for the message at an offset; None when all writers ended",
              _next, _check_next, reads=True, blocks=True, answered=_said),
    Operation("close_queue", KIND, ("writer",), "note that a writer has ended", _close_queue,
              lambda writer: whole("the writer of a queue", writer, least=1, most=LARGEST), sure=True),
):  # fmt: skip
    register(_operation)
