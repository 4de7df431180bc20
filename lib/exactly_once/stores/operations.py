"""The operations of stores. Each is one object with all its properties, and any store can carry it out.

An operation is a function of the contents of some parts of one store: (contents, arguments) → (contents, answer,
notes). A store in memory, a store in a file and the explorer differ only in the place where they keep contents. A
content is a number, a text, None, or a tuple of these, so it can be hashed, compared and written down.

Of queues there are two kinds, each with its writers that have ended, so that a reader finds the end. One is a part
that holds messages by offset. The other is made of cells, one for each message, which a lock-free queue fills by
compare-and-swap; here is only the wait of a reader of several of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from ..errors import BadInput, CourseError, whole
from .codec import Value, decode, describe, encode

Content: TypeAlias = Any  # of one part: a number, a text, None, or a tuple of these, as its `Kind` has it
Place: TypeAlias = tuple[str, str]  # (kind, part)
Acted: TypeAlias = tuple[Content, Value, Value]  # the content after an operation, its answer, the journal's note
ROWS = ("cell", "log", "table")  # the kinds of parts that prepared transactions hold
NOT_HELD = "it was not held"
QUEUE = "queue"  # ((text of a message, its item) in their order, numbers of the writers that have ended)
CLOSED = "closed"  # numbers of the writers of a queue of cells that have ended
HELD = "held"  # no content begins with it: a log holds texts in quotes, a cell begins with its version
LARGEST = 2**63 - 1  # the values that a table's column can hold


class Blocked(CourseError):
    """An operation that has to wait: no message is there, or another incarnation holds the lock. Nothing took place.

    `holder` is the prepared transaction that holds a row, or the incarnation whose transaction does, where that is
    why.
    """

    def __init__(self, message: str, holder: str | int | None = None) -> None:
        super().__init__(message)
        self.holder = holder


class NoInput(Blocked):
    """An operation that waits for input: nothing is there to read yet, and those who write it have not ended."""


def held_by(holder: str) -> Blocked:
    """Return the error for an operation that would change a row held by a prepared transaction."""
    return Blocked(f"The prepared transaction {holder!r} holds a row that this one would change.", holder)


class Note(NamedTuple):
    """The journal's entry for an operation on one part; `value` is None if the operation changed nothing."""

    part: str
    verb: str
    value: Value


class Done(NamedTuple):
    """The result of an operation: the contents of its places, in order, the answer, and the journal's notes."""

    contents: Sequence[Content]
    answer: Value
    notes: list[Note]


@dataclass(frozen=True)
class Kind:
    """A kind of part: its initial content, and a function from a content to the observer's view of it.

    `passed(content, life, successor)` is given where a content holds something for an incarnation, as a lock does: it
    returns the content after the incarnation is over (`successor` None), or after it has passed to its successor.
    """

    empty: Content
    seen: Callable[[Content], Value]
    passed: Callable[[Content, int, int | None], Content] | None = None


def _lock_passed(content: Content, life: int, successor: int | None) -> Content:
    if content is None or content[0] != life:
        return content
    return None if successor is None else (successor, content[1])


KINDS = {
    "cell": Kind((0, "null"), lambda content: decode(content[1])),
    "log": Kind((), lambda content: [decode(text) for text in content]),
    "table": Kind(0, lambda content: content),
    "inbox": Kind((), lambda content: [[sender, decode(text)] for sender, text in content]),
    "lock": Kind(None, lambda content: content and content[0], _lock_passed),
    QUEUE: Kind(((), ()), lambda content: [decode(text) for text, _ in content[0]]),
    CLOSED: Kind((), list),
}
OPERATIONS: dict[str, "Operation"] = {}


def done(_: Value) -> str:
    """Return the answer in words of an operation that is done or fails."""
    return "done"


@dataclass(frozen=True)
class Operation:
    """One operation: its name, the kind of its part, its arguments by name, and its action in words.

    `act(content, *arguments)` returns (content, answer, journal's note), and raises `Blocked` if it `blocks`. `reads`
    tells that the operation changes nothing, so that a late request for it is as good as a lost one. `owned` tells
    that it has an effect only as long as the asking incarnation lives; `by_life` that its first argument is the
    number of that incarnation; `connected` that the request uses that incarnation's own connection, which delivers
    each request once and in order; `once` that a second copy of the request has no effect; `sure` that no message of
    it is lost, late or doubled, since the world itself sends it. With `keeps_origin` the content keeps the sender of
    the request, and `act` gets an `origin`, or None. `checks` has a function for each of the first arguments, those
    that a handler chooses, which raises `BadInput`. `answered(answer)` gives the sender's answer in words,
    `noted_text(noted)` the effect at the store.
    """

    verb: str
    kind: str
    takes: tuple[str, ...]
    does: str
    act: Callable[..., Acted] | None  # None where a class of its own carries it out
    checks: tuple[Callable[[Any], object], ...] = ()
    optional: int = 0  # how many of the last arguments may be left out
    reads: bool = False
    blocks: bool = False
    owned: bool = False
    by_life: bool = False
    connected: bool = False
    once: bool = False
    sure: bool = False
    keeps_origin: bool = False
    answered: Callable[[Value], str] = done
    noted_text: Callable[[Value], str] | None = None

    def refuse(self, arguments: Sequence[Value]) -> None:
        """Raise `BadInput` unless the operation takes these `arguments`."""
        if not len(self.takes) - self.optional <= len(arguments) <= len(self.takes):
            wanted = ", ".join(self.takes) or "nothing"
            raise BadInput(f"The operation {self.verb!r} was given {len(arguments)} values; it takes {wanted}.")
        for check, argument in zip(self.checks, arguments, strict=False):
            check(argument)

    def places(self, part: str, arguments: Sequence[Value]) -> list[Place]:
        """Return the (kind, part) that it looks at or changes."""
        return [(self.kind, part)]

    def more_places(self, part: str, contents: Sequence[Content], arguments: Sequence[Value]) -> list[Place]:
        """Return the further (kind, part) that it looks at or changes, which the contents of the first ones tell."""
        return []

    def carried_out(
        self, part: str, contents: Sequence[Content], arguments: Sequence[Value], origin: object = None
    ) -> Done:
        """Return the result where prepared transactions may hold rows: readers see the committed content.

        Raises `Blocked` for an operation that would change a row that is held.
        """
        held = [content for content in contents if is_held(content)]
        if not held:
            return self.carry_out(part, contents, arguments, origin)
        if not self.reads:
            raise held_by(held[0][1])
        done = self.carry_out(part, [committed(content) for content in contents], arguments, origin)
        return Done(contents, done.answer, done.notes)

    def carry_out(
        self, part: str, contents: Sequence[Content], arguments: Sequence[Value], origin: object = None
    ) -> Done:
        """Return the result, a `Done`, for the contents of the operation's places and the sender, if it is known."""
        assert self.act is not None, f"the class of {self.verb!r} carries it out in its own way"
        if self.keeps_origin:
            content, answer, noted = self.act(contents[0], *arguments, origin=origin)
        else:
            content, answer, noted = self.act(contents[0], *arguments)
        return Done([content], answer, [Note(part, self.verb, noted)])

    def effect(self, noted: Value) -> str:
        """Return the effect in words for a journal's note."""
        if self.noted_text is not None:
            return self.noted_text(noted)
        if noted is None:
            return "None" if self.verb in ("write", "append") else self.verb
        return describe(noted)

    def wrote(self, noted: Value) -> bool:
        """Tell whether it changed something, given what the journal notes: None is a value too, but not of a cas."""
        return not self.reads and self.verb != "fence" and not (self.verb == "cas" and noted is None)


class Fetch(Operation):
    """Reads several logs of one store at once."""

    def places(self, part: str, arguments: Sequence[Value]) -> list[Place]:
        """Return the logs, one for each stream."""
        return [(self.kind, f"{part}.{stream}") for stream in arguments[0]]

    def carry_out(
        self, part: str, contents: Sequence[Content], arguments: Sequence[Value], origin: object = None
    ) -> Done:
        """Return up to so many values of each log, from its offset on."""
        offsets, limit = arguments
        found = {
            stream: [decode(text) for text in log[offset : offset + limit]]
            for (stream, offset), log in zip(offsets.items(), contents, strict=True)
        }
        return Done(contents, found, [Note(part, self.verb, None)])


class Rename(Operation):
    """Atomically replaces one cell by another. Readers never see a partly written target."""

    def places(self, part: str, arguments: Sequence[Value]) -> list[Place]:
        """Return both cells; each once."""
        return list(dict.fromkeys([(self.kind, part), (self.kind, arguments[0])]))

    def carry_out(
        self, part: str, contents: Sequence[Content], arguments: Sequence[Value], origin: object = None
    ) -> Done:
        """Answer whether there was something to rename."""
        if contents[0] == KINDS[self.kind].empty or part == arguments[0]:
            return Done(contents, contents[0] != KINDS[self.kind].empty, [Note(part, self.verb, None)])
        text = contents[0][1]
        renamed = [KINDS[self.kind].empty, (contents[1][0] + 1, text)]
        return Done(renamed, True, [Note(arguments[0], self.verb, decode(text))])

    def wrote(self, noted: Value) -> bool:
        """Tell whether there was something to rename."""
        return noted is not None


class Transaction(Operation):
    """Several operations on parts of one store, all of them or none."""

    def places(self, part: str, arguments: Sequence[Value]) -> list[Place]:
        """Return the places of all of them, each once."""
        found = [place for one, verb, *rest in arguments[0] for place in OPERATIONS[verb].places(one, rest)]
        return list(dict.fromkeys(found))

    def carry_out(
        self, part: str, contents: Sequence[Content], arguments: Sequence[Value], origin: object = None
    ) -> Done:
        """Carry them out in turn. When a `cas` or an `expect` is refused, none is, and the answer is None."""
        places = self.places(part, arguments)
        held, answers, notes = dict(zip(places, contents, strict=True)), [], []
        for one, verb, *rest in arguments[0]:
            operation = OPERATIONS[verb]
            mine = operation.places(one, rest)
            after, answer, noted = operation.carry_out(one, [held[place] for place in mine], rest, origin)
            if verb in ("cas", "expect") and not answer:
                return Done(contents, None, [Note(part, self.verb, None)])
            held |= zip(mine, after, strict=True)
            answers.append(answer)
            notes += noted
        return Done([held[place] for place in places], answers, notes)


def is_held(content: Content) -> bool:
    """Tell whether a prepared transaction holds a row: its content then is (HELD, id, before, after)."""
    return type(content) is tuple and len(content) == 4 and content[0] == HELD


def committed(content: Content) -> Content:
    """Return the committed content of a row, even while a prepared transaction holds the row."""
    return content[2] if is_held(content) else content


def register_kind(name: str, kind: Kind) -> None:
    """Teach all stores a kind of part."""
    KINDS[name] = kind


def register(operation: Operation) -> None:
    """Teach all stores an operation."""
    OPERATIONS[operation.verb] = operation


def operation_named(store: str, verb: str) -> Operation:
    """Return the `Operation` of this name. Raises `BadInput` for another."""
    if not isinstance(verb, str) or verb not in OPERATIONS:
        raise BadInput(f"The store {store!r} has no operation {verb!r}; it has {', '.join(OPERATIONS)}.")
    return OPERATIONS[verb]


def _append(content: Content, value: Value) -> Acted:
    text = encode(value)
    return (*content, text), len(content), value


def _cas(content: Content, expected: int | list[Value], value: Value) -> Acted:
    version, held = content
    fits = held == encode(expected[0]) if isinstance(expected, list) else version == expected
    return ((version + 1, encode(value)), True, value) if fits else (content, False, None)


def _fence(content: Content) -> Acted:
    version = content[0] + 1
    return (version, content[1]), version, version


def _add(content: Content, number: int) -> Acted:
    total = content + number
    if abs(total) > LARGEST:
        raise BadInput(f"The table holds {content}; adding {number} would leave what it can hold, ±{LARGEST}.")
    return total, total, total


def _change(content: Content, number: int) -> Acted:
    total = _add(content, number)[0]
    return total, total, [content, total]


def _take(content: Content, sender: int | None) -> Acted:
    for number, (whose, text) in enumerate(content):
        if sender in (None, whose):
            found = [whose, decode(text)]
            return content[:number] + content[number + 1 :], found, found
    raise Blocked(f"No message {f'of {sender} ' if sender else ''}waits there.")


def _acquire(content: Content, life: int, acquisition: int = 0) -> Acted:
    if content is not None and content[0] != life:
        raise Blocked(f"Incarnation {content[0]} holds the lock.")
    if content is not None:  # a late request of an earlier acquisition leaves the later one in place
        acquisition = max(acquisition, content[1])
    return (life, acquisition), None, life


def _release(content: Content, life: int, acquisition: int = 0) -> Acted:
    held = content is not None and content[0] == life and content[1] <= acquisition
    return (None if held else content), held, held


def within(what: str, least: int = 0, most: int = LARGEST) -> Callable[[Any], int]:
    """Return a check of an argument: it is a whole number from `least` to `most`."""
    return lambda value: whole(what, value, least, most)


OFFSET, NUMBER = within("the offset to read from"), within("the number to add", -LARGEST)
LIFE, WRITER = within("the incarnation that asks"), within("the writer of a queue", 1)
SENDER, ACQUISITION = within("the sender of a message", 1), within("the step that acquired a lock")


def _check_expected(expected: Value) -> None:
    if isinstance(expected, list) and len(expected) == 1:  # by value: the cell holds this one
        encode(expected)
    else:
        whole("the expected version", expected)


def _check_new_name(to: Value) -> None:
    if not isinstance(to, str) or not to:
        raise BadInput(f"The new name of a part is {to!r}; it is text.")


def _check_operations(operations: Value) -> None:
    if not isinstance(operations, (list, tuple)) or not operations:
        raise BadInput(f"A transaction is made of {operations!r}; give a list of [part, operation, arguments …].")
    for one in operations:
        if not isinstance(one, (list, tuple)) or len(one) < 2 or not isinstance(one[0], str):
            raise BadInput(f"A transaction holds {one!r}; each of its operations is [part, operation, arguments …].")
        operation = operation_named("of a transaction", one[1])
        if operation.blocks or operation.kind not in (*ROWS, QUEUE) or isinstance(operation, Transaction):
            raise BadInput(f"A transaction holds {one[1]!r}; it can hold operations that need not wait.")
        operation.refuse(one[2:])


def _what_was_set(noted: Value) -> str:
    return "refused" if noted is None else repr(noted) if noted == "refused" else describe(noted)


def _renamed(noted: Value) -> str:
    return "nothing to rename" if noted is None else describe(noted)


def _what_came(found: Mapping[str, list[Value]]) -> str:
    given = [
        f"{stream} {describe(one[-1] if isinstance(one, list) else one)}"
        for stream, log in sorted(found.items())
        for one in log
    ]
    return ", ".join(given) or "none are left"


def _who_sent(found: Sequence[Value]) -> str:
    return f"from node {found[0]}: {describe(found[1])}"


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


def _said(found: Value) -> str:
    return "the end" if found is None else describe(found[0])


def _what_is_there(found: Value) -> str:
    return "the end" if found is None else ", ".join(f"{queue} {describe(value)}" for queue, value in found.items())


for _operation in (
    Operation("read", "cell", (), "return [version, value]; version 0 and None when nothing was written",
              lambda content: (content, [content[0], decode(content[1])], None), reads=True,
              answered=lambda value: describe(value[1])),
    Operation("write", "cell", ("value",), "store a value; return its version",
              lambda content, value: ((content[0] + 1, encode(value)), content[0] + 1, value), (encode,)),
    Operation("cas", "cell", ("version", "value"), "store a value if the version is the expected one; return whether",
              _cas, (_check_expected, encode), answered=lambda value: "done" if value else "refused",
              noted_text=_what_was_set),
    Operation("fence", "cell", (), "make the version one higher, and return it: a cas for an earlier one is refused",
              _fence, answered=lambda version: f"epoch {version}", noted_text=lambda version: f"epoch {version}"),
    Operation("expect", "cell", ("version",), "return whether the version is this one; if not, its transaction fails",
              lambda content, version: (content, content[0] == version, None),
              (within("the expected version"),), reads=True),
    Rename("rename", "cell", ("to",), "put it in the place of another cell, in one go; return if it held anything",
           None, (_check_new_name,), answered=lambda value: "done" if value else "nothing to rename",
           noted_text=_renamed),
    Operation("append", "log", ("value",), "add a value at the end; return its offset", _append, (encode,)),
    Operation("scan", "log", ("offset",), "return the values from an offset on",
              lambda content, offset: (content, [decode(text) for text in content[offset:]], None), (OFFSET,),
              reads=True, answered=describe),
    Fetch("fetch", "log", ("offsets", "limit"), "for {stream: offset}, return {stream: up to `limit` values}",
          None, reads=True, answered=_what_came),
    Operation("add", "table", ("number",), "add a number to a row, in a transaction; return the new value",
              _add, (NUMBER,), noted_text=lambda total: f"{total - 1} → {total}"),
    Operation("change", "table", ("number",), "add any number to a row, as `add` does, and note both",
              _change, (NUMBER,), noted_text=lambda noted: f"{noted[0]} → {noted[1]}"),
    Operation("total", "table", (), "return the number in a row", lambda content: (content, content, None),
              reads=True, answered=describe),
    Operation("put", "inbox", ("sender", "message"), "add a message of a sender",
              lambda content, sender, message: ((*content, (sender, encode(message))), None, [sender, message]),
              (SENDER, encode), noted_text=_who_sent),
    Operation("take", "inbox", ("sender",),
              "remove the first message of a sender, or of any; return [sender, message]", _take,
              (lambda sender: sender is None or SENDER(sender),), blocks=True, owned=True, answered=_who_sent,
              noted_text=_who_sent),
    Operation("acquire", "lock", ("life", "acquisition"), "hold it for an incarnation, unless another one does",
              _acquire, (LIFE, ACQUISITION), optional=1, blocks=True, owned=True, by_life=True,
              noted_text=lambda noted: f"held by incarnation {noted}"),
    Operation("release", "lock", ("life", "acquisition"), "let go of what this acquisition holds; return if it did",
              _release, (LIFE, ACQUISITION), optional=1, by_life=True,
              answered=lambda value: "done" if value else NOT_HELD,
              noted_text=lambda noted: "free" if noted else "not held"),
    Transaction("transact", "cell", ("operations",), "carry out [[part, operation, arguments …], …], all or none",
                None, (_check_operations,), answered=lambda value: "refused" if value is None else "done",
                noted_text=lambda noted: "refused"),
    Operation("enqueue", QUEUE, ("message",), "add a message at the end; return its offset", _enqueue,
              (encode,), keeps_origin=True),
    Operation("next", QUEUE, ("offset", "writers"), "wait for the message at an offset; None when all writers ended",
              _next, (OFFSET,), reads=True, blocks=True, answered=_said),
    Operation("close_queue", QUEUE, ("writer",), "note that a writer has ended", _close_queue,
              (WRITER,), sure=True),
    AnyFilled("any_filled", CLOSED, ("cells", "writers"),
              "for {queue: cell}, wait until one is filled; return {queue: value}, None when all writers ended",
              None, reads=True, blocks=True, answered=_what_is_there),
    Operation("close_cells", CLOSED, ("writer",), "note that a writer of a queue of cells has ended", _close_cells,
              (WRITER,), sure=True),
):  # fmt: skip
    register(_operation)
