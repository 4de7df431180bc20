"""The origin of a node's inputs: a `Source`, plain data shipped with the handler, and an incarnation's `Reader`.

A cell of a lock-free queue holds what one step `Sent`: values, with the name of the sender and the step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..errors import BadInput, whole
from ..log import partition_machine
from ..log.broker.producer_state import SequenceRule
from ..log.log import Acks
from ..log.partition_machine import refused
from ..stores import codec
from ..stores.codec import Value, describe, describe_as
from ..stores.interface import Inputs
from .world import QUEUES, InputsEnded, Life, Stores

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


def cell(name: str, index: int) -> str:
    """Return the name of the register that holds the value at `index` of the queue `name` of cells."""
    return f"{name}.{index}"


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


Offsets: TypeAlias = dict[str, int]  # of the next record, for each stream
LOG = "log"  # the store that partitions are in
EFFECTS = ("database.increment", "register.cas", "output.push")


class Source(ABC):
    """The source of a node's inputs. A source is data: the same for all incarnations of a node, in all worlds."""

    def said(self, text: str) -> str:
        """Return a sentence about hours and their averages as it is said of this source's items, which are
        records.
        """
        for hours, records in (
            ("the averages of hours", "records"), ("the average of hour", "record"), ("the averages", "the records"),
            ("every average", "every record"), ("the average", "the record"), ("hour", "record"),
        ):  # fmt: skip
            text = text.replace(hours, records)
        return text

    def settings(self) -> dict[str, Value]:
        """Return the further attributes of the handler's node, {name: value}."""
        return {}

    @abstractmethod
    def start(self) -> Offsets:
        """Return the positions before the first item: {stream: offset}."""

    def size(self) -> int:
        """Return how many reads there can be, as far as that is known beforehand; 0 where its writers decide."""
        return 0

    def end(self) -> Offsets:
        """Return the positions after the last item, as far as they are known beforehand."""
        return {}

    def hour_at(self, offset: int) -> int:
        """Return the number of the last item before `offset`: how far positions have come. 0 at the start."""
        return offset

    def hours(self) -> set[int]:
        """Return the set of all items that are to be read, as far as they are known beforehand."""
        return set()

    def load_inputs(self, stores: Stores) -> None:  # noqa: B027 - a partition is filled by its writers
        """Put the inputs into the stores, before a run begins."""

    def first_state(self) -> Value:
        """Return the result of `state.load` when nothing was saved."""
        return None

    def inputs_of(self, state: Value, fresh: Inputs) -> Inputs:
        """Return the inputs that contribute to a pushed value, for the loaded state and the inputs read last."""
        return fresh

    @abstractmethod
    def reader(self, life: Life) -> Reader:
        """Return a new `Reader` for an incarnation."""


class Reader(ABC):
    """One incarnation's hold on its source: where it is, and which items its next step is about."""

    def __init__(self, life: Life, source: Any) -> None:
        self.life, self.source = life, source
        self.at: Offsets | None = None

    def running(self, positions: Offsets | None) -> bool:
        """Tell whether there may be input at `positions`, or, if that is None, at the present positions.

        True for a reader of which only a read finds the end.
        """
        return True

    @abstractmethod
    def read(self, positions: Offsets) -> tuple[list[Any], Offsets]:
        """Return (items, the positions after them); a step."""

    def read_again(self, positions: Offsets, until: Offsets) -> tuple[list[Any], Offsets]:
        """Return the items between positions that were read at once before; a step."""
        raise BadInput("This node's source cannot read until given positions; only a Job can.")

    def concerns(self, name: str) -> tuple[int, ...]:
        """Return the numbers of the items that the step `name` is about."""
        return () if self.life.item is None else (self.life.item,)

    def took_place(self, name: str) -> None:  # noqa: B027 - most steps change nothing about what the next one concerns
        """Called when the step `name` was done."""

    def now(self, earliest: int) -> tuple[int, int]:
        """Return the hours that this node's clock may show: (first, last)."""
        raise BadInput("This node's inputs have no hours, so node.now() has nothing to show.")


class Record(NamedTuple):
    """One record of a partition, as a handler reads it."""

    offset: int
    key: Value
    value: Value


@dataclass(frozen=True)
class Partition:
    """A partition of a log, by the name of its part in the store "log"; where a node's output goes, or comes from.

    `brokers`, `min_insync_replicas` and `acks` are Kafka's; `sequence_rule` is the brokers' use of producers'
    numbers, as in `Topic`. Which nodes write to it, the run's programs say: a reader knows that it has come to the
    end when they have ended.
    """

    name: str
    brokers: int = 1
    min_insync_replicas: int = 1
    acks: Acks = "all"
    sequence_rule: SequenceRule = "kafka"

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise BadInput(f"The name of a partition is {self.name!r}; it is text, such as 'readings-0'.")

    def load_inputs(self, stores: Stores) -> None:
        """Make the partition, before a run begins."""
        store = stores[LOG]
        if not store.held(partition_machine.KIND).get(self.name):
            settings = {
                "brokers": self.brokers,
                "min_insync_replicas": self.min_insync_replicas,
                "sequence_rule": self.sequence_rule,
            }
            store.prepare(self.name, "create", settings)


@dataclass(frozen=True)
class LogSource(Source):
    """The records of a partition, from its first to its last; a read gives one, and waits until it is there."""

    partition: Partition

    def start(self) -> Offsets:
        """Return offset 0."""
        return {self.partition.name: 0}

    def load_inputs(self, stores: Stores) -> None:
        """Make the partition."""
        self.partition.load_inputs(stores)

    def reader(self, life: Life) -> LogReader:
        """Return a new reader."""
        return LogReader(life, self)


class LogReader(Reader):
    """Reads a partition record by record. Each record has one effect, in order; the incarnation notes the record.

    No handler sees that, so it is no part of the reader, which tells a node's states apart in the explorer.
    """

    def __init__(self, life: Life, source: LogSource) -> None:
        super().__init__(life, source)
        self.ended, life.pending, life.batch = False, (), ()
        life.tried = False  # whether the next record's effect was asked for, and did not take place

    def running(self, positions: Offsets | None) -> bool:
        """Tell whether this incarnation has not read the end yet."""
        return not self.ended

    def read(self, positions: Offsets) -> tuple[list[Record], Offsets]:
        """Wait for the record at the position, and return ([it], the position after it); at the end, an empty
        list.
        """
        if self.ended:
            raise InputsEnded
        life, source = self.life, self.source
        name, offset = source.partition.name, positions[source.partition.name]
        found = refused(
            life.step(
                life.world.store(LOG), name, "poll", offset, 1, list(life.world.writers_of(name)),
                name="input.read", text=f"read {name} at offset {offset}",
            )
        )  # fmt: skip
        if not found["records"] and found["next"] == offset:
            self.ended = True
            return [], dict(positions)
        numbers = tuple(number for *_, number in found["records"])
        if life.tried:  # the handler has given it up, and goes on
            life.pending, life.tried = life.pending[1:], False
        if numbers:
            life.item = numbers[-1]
            life.inputs = tuple((number, name) for number in numbers)
        life.pending, life.batch = life.pending + numbers, life.batch + numbers
        self.at = {name: found["next"]}
        return [Record(*record[:3]) for record in found["records"]], dict(self.at)

    def concerns(self, name: str) -> tuple[int, ...]:
        """Return the record whose effect is next; of positions that are saved, all that were read since the last."""
        life = self.life
        if name in EFFECTS and life.pending:
            life.tried = True
            return life.pending[:1]
        return life.batch if name == "positions.save" else super().concerns(name)

    def took_place(self, name: str) -> None:
        """Go on to the next effect; after a position was saved, to the next batch."""
        life = self.life
        if name in EFFECTS:
            life.pending, life.tried = life.pending[1:], False
        elif name == "positions.save":
            life.batch = ()


@dataclass(frozen=True)
class QueueSource(Source):
    """The messages of a queue in the engine's store, in their order; a read gives one, and waits for it."""

    queue: str

    def __post_init__(self) -> None:
        if not isinstance(self.queue, str) or not self.queue:
            raise BadInput(f"The name of a queue is {self.queue!r}; it is text, such as 'increments'.")

    def start(self) -> Offsets:
        """Return offset 0."""
        return {self.queue: 0}

    def reader(self, life: Life) -> QueueReader:
        """Return a new reader."""
        return QueueReader(life, self)


class QueueReader(Reader):
    """Reads one message at a time. Which item it is about is the item of the pass that sent it."""

    def read(self, positions: Offsets) -> tuple[list[Value], Offsets]:
        """Return ([the message at the position], the next position); at the end of the queue the incarnation ends."""
        life, queue = self.life, self.source.queue
        offset = positions[queue]
        found = life.step(
            life.world.engine, queue, "next", offset, list(life.world.senders_to(queue)), name="input.read",
            text=f"read {queue} at offset {offset}",
        )  # fmt: skip
        if found is None:
            raise InputsEnded
        message, life.item = found
        self.at = {queue: offset + 1}
        return [message], dict(self.at)


@dataclass(frozen=True)
class CellSource(Source):
    """Lock-free queues of the store "queues", read together: one read gives the next message of each that has one.

    A read waits while none has any, until all who fill them have ended. That a queue is empty is no part of anything
    that is kept: a later read at the same positions may find a message there.
    """

    queues: tuple[str, ...]

    def __post_init__(self) -> None:
        given = self.queues
        if not (isinstance(given, (tuple, list)) and given and all(isinstance(one, str) and one for one in given)):
            raise BadInput(f"The queues to read are {given!r}; give their names, such as ('increments',).")
        if len(set(given)) < len(given):
            raise BadInput(f"The queues to read are {given!r}; name each once.")
        object.__setattr__(self, "queues", tuple(given))

    def start(self) -> Offsets:
        """Return offset 0 in each."""
        return dict.fromkeys(self.queues, 0)

    def reader(self, life: Life) -> CellReader:
        """Return a new reader."""
        return CellReader(life, self)


class CellReader(Reader):
    """Reads the next message of each queue that has one.

    A cell holds all that one step of its writer sent there: `Sent`, or a plain value.
    """

    def read(self, positions: Offsets) -> tuple[list[list[Value]], Offsets]:
        """Return ([a row for each input], the positions after them); the incarnation ends when all queues have ended.

        A row has a value of each queue, in their order, or None.
        """
        life, queues = self.life, self.source.queues
        cells = {queue: cell(queue, positions[queue]) for queue in queues}
        writers = {queue: list(life.world.fillers_of(queue)) for queue in queues}
        asked = ", ".join(f"{queue} at index {positions[queue]}" for queue in queues)
        found = life.step(
            life.world.store(QUEUES), queues[0], "any_filled", cells, writers, name="input.read", text=f"read {asked}"
        )
        if found is None:
            raise InputsEnded
        came = [found.get(queue) for queue in queues]
        life.item = max((one.item for one in came if isinstance(one, Sent) and one.item), default=life.item)
        self.at = {queue: positions[queue] + (queue in found) for queue in queues}
        rows = zip_longest(*(one.values if isinstance(one, Sent) else [one] for one in came))
        return list(map(list, rows)), dict(self.at)


@dataclass(frozen=True)
class Numbers(Source):
    """The records that a producer is to send: the numbers from `first` on, with keys that take turns.

    Nodes whose inputs differ have streams of different names.
    """

    count: int = 6
    keys: Sequence[Value] = ("north", "south")
    stream: str = "numbers"
    first: int = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        whole("the number of records", self.count, least=1, most=999_999)
        whole("the first number", self.first)
        if not isinstance(self.keys, (tuple, list)) or not self.keys:
            raise BadInput(f"The keys of the records are {self.keys!r}; give at least one.")
        object.__setattr__(self, "keys", tuple(self.keys))

    def start(self) -> Offsets:
        """Return offset 0."""
        return {self.stream: 0}

    def size(self) -> int:
        """Return how many there are."""
        return self.count + 1

    def end(self) -> Offsets:
        """Return the offset after the last."""
        return {self.stream: self.count}

    def hours(self) -> set[int]:
        """Return the numbers."""
        return set(range(1, self.count + 1))

    def key_of(self, number: int) -> Value:
        """Return the key of a record."""
        return self.keys[(number - 1) % len(self.keys)]

    def load_inputs(self, stores: Stores) -> None:
        """Put the records where they are read from."""
        numbers = range(1, self.count + 1)
        stores["engine"].fill(
            f"input.{self.stream}", [[self.first - 1 + number, self.key_of(number)] for number in numbers]
        )

    def reader(self, life: Life) -> NumbersReader:
        """Return a new reader."""
        return NumbersReader(life, self)


class NumbersReader(Reader):
    """Reads one number at a time."""

    def running(self, positions: Offsets | None) -> bool:
        """Tell whether there is a number at the position."""
        at = self.at if positions is None else positions
        return at is None or at[self.source.stream] < self.source.count

    def read(self, positions: Offsets) -> tuple[list[Record], Offsets]:
        """Return ([the record at the position], the position after it)."""
        life, stream = self.life, self.source.stream
        offset = positions[stream]
        life.item = offset + 1
        found = life.step(
            life.world.engine,
            "input",
            "fetch",
            {stream: offset},
            1,
            name="input.read",
            text=f"read record {offset + 1}",
        )[stream]
        if not found:
            raise InputsEnded
        (number, key), self.at = found[0], {stream: offset + 1}
        life.inputs = ((life.item, stream),)
        return [Record(offset, key, number)], dict(self.at)
