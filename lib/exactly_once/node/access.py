"""A handler's handles of its stores: registers, stores of any name with their sessions, the database, the log, locks.

At the end stand the parts of stores that a handler or a program names, such as registers and inboxes, with their
labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self

from ..errors import BadInput, whole
from ..log.log import Acks
from ..log.partition_machine import refused
from ..log.reading import Isolation
from ..log.transactions.coordinator_machine import COORDINATOR_PART, OFFSETS_PART
from ..stores.codec import Value, describe
from ..stores.isolation import KIND as TRANSACTIONS_ON_ROWS
from ..stores.isolation import PART as DATABASE_OF_ROWS
from ..stores.isolation import refused as unless_refused
from ..stores.operations import OPERATIONS, ROWS
from .source import LOG, Record
from .world import COORDINATOR, DATABASE, MACHINE, OFFSETS, QUEUES, Life

RESERVED = ("engine", "database", LOG, "network", "coordinator", "offsets", "transactions")
IN_FLIGHT = 5  # Kafka's max.in.flight.requests.per.connection
_PREFIX = "register."


class Registers:
    """The engine's versioned cells, by name, which any node reads, and writes with compare-and-swap.

    Each is a part of its own in the store and in the trace.
    """

    def __init__(self, life: Life) -> None:
        self._life = life

    def read(self, name: str) -> tuple[int, Value]:
        """Return (version, value) of a register; (0, None) when nothing was written to it."""
        part = part_of(name)
        version, value = self._life.step(
            self._life.world.engine, part, "read", name="register.read", text=f"read {name}"
        )
        return version, value

    def cas(self, name: str, expected_version: int, value: Value) -> bool:
        """Write `value` if the register's version is `expected_version`, and return whether it was written.

        Raises `BadInput` for None, which would look like a register that nothing was written to.
        """
        whole("the expected version", expected_version)
        return self._cas(name, expected_version, value, f"version {describe(expected_version)}")

    def cas_value(self, name: str, expected: Value, value: Value) -> bool:
        """Write `value` if the register holds `expected` (None: nothing was written), and return whether it did.

        The version is not looked at: a value that changed and came back fits. Raises `BadInput` as `cas` does.
        """
        return self._cas(name, [expected], value, f"value {describe(expected)}")

    def _cas(self, name: str, expected: Value, value: Value, said: str) -> bool:
        part = part_of(name)
        if value is None:
            raise BadInput(f"The register {name!r} was given None to hold; give it a value, such as an empty list.")
        text = f"cas {name}, {said}: {describe(value)}"
        return self._life.step(self._life.world.engine, part, "cas", expected, value, name="register.cas", text=text)


def part_of(name: str) -> str:
    """Return the name of a register's part in the engine's store. Raises `BadInput` for a name that is not text."""
    if not isinstance(name, str) or not name:
        raise BadInput(f"The name of a register is {name!r}; it is text, such as 'machine'.")
    return _PREFIX + name


def register_in(part: str) -> str | None:
    """Return the name of the register behind a part of a store, or None for a part that is no register."""
    return part.removeprefix(_PREFIX) if part.startswith(_PREFIX) else None


class StoreHandle:
    """A store as one incarnation sees it. Each operation is a step; `transact` is one step for all its operations.

    A part is made by the first write to it: a cell (`read`, `write`, `cas`), a log (`append`, `scan`) or a number
    (`add`, `total`). Beside these the store has a database of rows with concurrent transactions: `begin`.
    """

    steps = "store"  # what the names of its steps begin with
    adds = "change"  # the operation by which a number changes

    def __init__(self, life: Life, name: str) -> None:
        if not isinstance(name, str) or not name.isidentifier() or name in RESERVED:
            raise BadInput(
                f"A store cannot be named {name!r}; use letters, digits and underscores, and none of "
                f"{', '.join(RESERVED)}, which a node has other ways to reach."
            )
        self._life, self._name = life, name

    def read(self, part: str) -> tuple[int, Value]:
        """Return (version, value) of a cell; (0, None) when nothing was written."""
        return tuple(self._ask(part, "read", text=f"read {part}"))

    def write(self, part: str, value: Value) -> None:
        """Write a value to a cell with any version."""
        self._ask(part, "write", value, text=f"write {part}: {describe(value)}")

    def cas(self, part: str, expected_version: int, value: Value) -> bool:
        """Write a value to a cell if its version is the expected one; return whether it was."""
        whole("the expected version", expected_version)
        said = f"cas {part}, version {describe(expected_version)}: {describe(value)}"
        return self._ask(part, "cas", expected_version, value, text=said)

    def rename(self, part: str, to: str) -> bool:
        """Atomically replace another cell by this one, as `os.replace` does with files; return if it held anything.

        One step: of the other cell nobody ever sees a half, and the first holds nothing any more.
        """
        return self._ask(part, "rename", to, text=f"rename {part} to {to}")

    def append(self, part: str, value: Value) -> int:
        """Add a value to a log, and return its offset."""
        return self._ask(part, "append", value, text=f"append {describe(value)} to {part}")

    def scan(self, part: str, offset: int = 0) -> list[Value]:
        """Return the values of a log from an offset on."""
        return self._ask(part, "scan", offset, text=f"read {part} from offset {offset}")

    def add(self, part: str, number: int) -> int:
        """Add a whole number to a number, and return the sum."""
        return self._ask(part, self.adds, number, step="add", text=f"add {number} to {part}")

    def total(self, part: str) -> int:
        """Return a number."""
        return self._ask(part, "total", text=f"read {part}")

    def transact(self, *operations: Sequence[Value]) -> list[Value] | None:
        """Carry out operations on parts of this store in one step: all, or none if a `cas` among them is refused.

        Each is a tuple (name of the operation, part, arguments …), such as ("cas", "index", 3, 7); ("expect",
        "index", 3) changes nothing, and is refused as a `cas` is. Returns the list of their answers, or None.
        Raises `BadInput` for another form.
        """
        named, said = self._named(operations)
        return self._ask(named[0][0], "transact", named, text=f"in one transaction: {said}")

    def prepare(self, identifier: str, *operations: Sequence[Value]) -> bool | None:
        """Prepare a transaction of these operations under an id, and hold the rows that it changes until it is ended.

        The first phase of two-phase commit, PostgreSQL's PREPARE TRANSACTION: all is durable, and nothing is seen by
        others, until `commit_prepared` or `rollback_prepared`, by any incarnation. A blocking step: it waits for rows
        that another one holds. Returns True; None when a `cas` or an `expect` is refused; False when the id is in
        use, so that a repeated request is known for one.
        """
        named, said = self._named(operations)
        return self._ask("prepared", "prepare", identifier, named, text=f"prepare {identifier!r}: {said}")

    def prepared(self) -> list[str]:
        """Return the ids of all prepared transactions of this store; a step."""
        return self._ask("prepared", "prepared", text="list prepared transactions")

    def commit_prepared(self, identifier: str) -> bool:
        """Commit a prepared transaction; return whether there was one of this id; a step."""
        return self._ask("prepared", "commit_prepared", identifier, text=f"commit prepared {identifier!r}")

    def rollback_prepared(self, identifier: str) -> bool:
        """Roll a prepared transaction back; return whether there was one of this id; a step."""
        return self._ask("prepared", "rollback_prepared", identifier, text=f"roll back prepared {identifier!r}")

    def _named(self, operations: Sequence[Sequence[Value]]) -> tuple[list[list[Value]], str]:
        """Return operations as a store takes them, and in words."""
        if not operations or not all(isinstance(one, (tuple, list)) and len(one) > 1 for one in operations):
            raise BadInput(f"A transaction was given {operations!r}; give tuples such as ('write', 'index', 7).")
        named = [[part, self.adds if verb == "add" else verb, *rest] for verb, part, *rest in operations]
        said = "; ".join(
            f"{verb} {part} {', '.join(map(describe, rest))}".strip() for verb, part, *rest in operations
        )
        return named, said

    def begin(self, level: str = "read committed") -> Session:
        """Begin a transaction of the store's database of rows, at an isolation level; a step. See `Session`."""
        return Session(self._life, self._name, level)

    def _ask(self, part: str, verb: str, *arguments: Value, text: str, step: str | None = None) -> Value:
        life = self._life
        if not isinstance(part, str) or not part:
            raise BadInput(f"A part of the store {self._name!r} is named {part!r}; its name is text.")
        return life.step(
            life.world.store(self._name), part, verb, *arguments, name=f"{self.steps}.{step or verb}", text=text
        )


class Database(StoreHandle):
    """The database, which is another system: the counter, and rows of any name beside it."""

    steps, adds = "database", "add"

    def __init__(self, life: Life) -> None:
        self._life, self._name = life, DATABASE

    def increment(self, key: Value = None) -> None:
        """Add one to the counter, or to the counter of a key, in a transaction of the database.

        Waits while a prepared transaction holds that row.
        """
        part, text = ("counter", "increment") if key is None else (f"counter.{key}", f"increment {key}")
        self._ask(part, "add", 1, step="increment", text=text)


class LogHandle:
    """The partitioned log as one incarnation sees it; a partition is known by its name, such as "readings-0".

    A refusal of the broker is raised, by Kafka's own name: `NotEnoughReplicas`, `OutOfOrderSequence`, ….
    """

    def __init__(self, life: Life) -> None:
        self._life = life

    def append(
        self,
        partition: str,
        records: Iterable[Value],
        acks: Acks = "all",
        producer: int | None = None,
        epoch: int | None = None,
        sequence: int | None = None,
    ) -> int | None:
        """Append (key, value) records as one batch, and return the offset of the first; a step.

        `producer`, `epoch` and `sequence` (of the first record) make it idempotent (KIP-98). With acks=0 there is no
        answer, and None is returned.
        """
        settings = _settings(acks, producer, epoch, sequence)
        return refused(append(self._life, self._life.step, partition, records, settings, "log.append"))["offset"]

    def send(
        self,
        partition: str,
        records: Iterable[Value],
        acks: Acks = "all",
        producer: int | None = None,
        epoch: int | None = None,
        sequence: int | None = None,
        in_flight: int = IN_FLIGHT,
    ) -> None:
        """Send records as `append` does, but do not wait for the acknowledgement; a step.

        Raises `BadInput` when `in_flight` requests are under way already: hear one's `acknowledgement()` first.
        """
        life = self._life
        if len(life.in_flight) >= whole("the number of requests in flight", in_flight, least=1):
            raise BadInput(
                f"{len(life.in_flight)} requests are in flight, as many as may be; hear one's acknowledgement."
            )
        append(life, life.send, partition, records, _settings(acks, producer, epoch, sequence), "log.send")

    def acknowledgement(self) -> int | None:
        """Wait for the acknowledgement of the oldest request in flight, and return its offset; a step.

        Raises `OutcomeUnknown` when none comes, the broker's refusal, and `BadInput` when nothing is in flight.
        """
        return refused(self._life.acknowledgement())["offset"]

    @property
    def in_flight(self) -> int:
        """How many requests were sent whose acknowledgement was not heard. No step."""
        return len(self._life.in_flight)

    def fetch(
        self, partition: str, offset: int = 0, most: int | None = None, isolation: Isolation = "read_uncommitted"
    ) -> list[Record]:
        """Return up to `most` records from an offset on, each (offset, key, value); a step."""
        return fetch(self._life, partition, offset, most, "log.fetch", isolation)

    def commit(self, partition: str, group: str, offset: int) -> None:
        """Keep the offset of a group's next record; a step."""
        text = f"commit offset {offset} of {group} in {partition}"
        refused(self._ask(partition, "commit", group, offset, name="log.commit", text=text))

    def committed(self, partition: str, group: str) -> int | None:
        """Return the offset that a group committed, or None; a step."""
        text = f"load the committed offset of {group} in {partition}"
        return refused(self._ask(partition, "committed", group, name="log.committed", text=text))

    def producer_id(self, partition: str) -> int:
        """Return a producer id that nobody had before on this partition's brokers; a step."""
        asked = self._ask(partition, "broker", "new_producer_id", [], name="log.producer_id", text="ask for an id")
        return refused(asked)

    def broker(self, partition: str, what: str, *arguments: Value) -> int | None:
        """Have a broker of the partition `kill`ed, `revive`d, `restart`ed, …, or a leader `elect`ed; a step."""
        text = f"{what} {' '.join(map(describe, arguments))}".strip()
        return refused(self._ask(partition, "broker", what, list(arguments), name="log.broker", text=text))

    def _ask(self, partition: str, verb: str, *arguments: Value, name: str, text: str) -> Value:
        life = self._life
        return life.step(life.world.store(LOG), partition, verb, *arguments, name=name, text=text)


def append(
    life: Life,
    ask: Callable[..., Value],
    partition: str,
    records: Iterable[Value],
    settings: Mapping[str, Value],
    name: str,
) -> Value:
    """Have the log append records; `ask` is the incarnation's `step` or its `send`. Returns the broker's answer."""
    if isinstance(records, (str, bytes)) or not hasattr(records, "__iter__"):
        raise BadInput(f"The records to append are {records!r}; give a list of (key, value).")
    records = [list(record) if isinstance(record, (tuple, list)) else [None, record] for record in records]
    text = f"append {', '.join(describe(value) for _, value in records)} to {partition}"
    return ask(life.world.store(LOG), partition, "produce", records, settings, name=name, text=text)


def fetch(
    life: Life, partition: str, offset: int, most: int | None, name: str, isolation: Isolation = "read_uncommitted"
) -> list[Record]:
    """Have the log return records from an offset on."""
    found = refused(
        life.step(
            life.world.store(LOG), partition, "consume", offset, most, isolation, name=name,
            text=f"fetch {partition} from offset {offset}",
        )
    )  # fmt: skip
    return [Record(*record[:3]) for record in found["records"]]


def _settings(acks: Acks, producer: int | None, epoch: int | None, sequence: int | None) -> dict[str, Value]:
    found = {"acks": acks, "producer": producer, "producer_epoch": epoch, "sequence": sequence}
    return {name: value for name, value in found.items() if value is not None}


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
        return unless_refused(
            life.step(
                life.world.store(self._store), DATABASE_OF_ROWS, verb, life.number, *arguments, name=name, text=text
            )
        )


class Lock:
    """The lock of a name. It belongs to the incarnation that acquired it, and is released at the end of that one."""

    def __init__(self, life: Life, name: str) -> None:
        self._life = life
        self._part = lock_part(name)
        self.name = name

    def acquire(self) -> None:
        """Hold the lock; wait while another incarnation does. The present holder continues at once."""
        life = self._life
        life.acquired[self.name] = life.steps + 1
        self._ask("acquire")

    def release(self) -> bool:
        """Let go of the lock. Returns whether this incarnation held it; if it did not, nothing happens."""
        return self._ask("release")

    def _ask(self, verb: str) -> Value:
        life = self._life
        life.locked = True
        acquisition = life.acquired.get(self.name, 0)
        return life.step(
            life.world.engine, self._part, verb, life.number, acquisition, name=f"lock.{verb}",
            text=f"{verb} lock {self.name}",
        )  # fmt: skip

    def __enter__(self) -> Self:
        self.acquire()
        self._life.entered.append(self.name)
        return self

    def __exit__(self, *why: object) -> None:
        self._life.entered.pop()
        self.release()


_INBOX, _LOCK = "inbox.", "lock."
SYSTEMS = {
    f"{COORDINATOR}.{COORDINATOR_PART}": "coordinator's log",
    f"{OFFSETS}.{OFFSETS_PART}": "group's offsets",
    "transactions.transactions": "transactions",
    ".".join(MACHINE): "machine",
}
EVERY_NODES = ("input", "positions", "state", "output", "counter")


def inbox_of(node: int) -> str:
    """Return the name of the part in which messages to a node wait."""
    return f"{_INBOX}{node}"


def lock_part(name: str) -> str:
    """Return the name of a lock's part in the engine's store. Raises `BadInput` for a name that is not text."""
    if not isinstance(name, str) or not name:
        raise BadInput(f"The name of a lock is {name!r}; it is text, such as 'account'.")
    return _LOCK + name


def named_part(part: str) -> str | None:
    """Return a part's name in a drawing, such as "inbox 2", or None for a part of every node or incarnation."""
    if part in EVERY_NODES or part.startswith("incarnation "):
        return None
    if part in SYSTEMS:
        return SYSTEMS[part]
    if queue := queue_in(part):
        return f"{queue}, {part.rpartition('.')[2]}"
    return register_in(part) or part.replace(".", " ", 1)


def queue_in(part: str) -> str | None:
    """Return which lock-free queue of the store "queues" a part belongs to, in a trace; None for any other part."""
    store, _, cell = part.partition(".")
    return f"queue {cell.partition('.')[0]}" if store == QUEUES else None


def part_in_words(part: str) -> str:
    """Return a part's name in a sentence: "the inbox of node 2", "the lock 'a'", "the register machine"."""
    if part.startswith(_INBOX):
        return f"the inbox of node {part.removeprefix(_INBOX)}"
    if part.startswith(_LOCK):
        return f"the lock {part.removeprefix(_LOCK)!r}"
    return f"the register {register_in(part) or part}"


def awaited(verb: str, part: str, asked: Value = None, *_: Value) -> str:
    """Return the object that this operation waits for: the lock, a message, a record of a partition, or a row."""
    kind = OPERATIONS[verb].kind
    if kind == "inbox":
        return f"a message of node {asked}" if asked else "a message"
    if part == COORDINATOR_PART:
        return "the coordinator"
    if part == OFFSETS_PART:
        return "the marker of offsets that are pending"
    if kind == "lock":
        return part_in_words(part)
    if kind == TRANSACTIONS_ON_ROWS:
        return "the end of another transaction"
    if kind == "queue":
        return f"a message in the queue {part}"
    if kind == "prepared" or kind in ROWS:
        return "a row that a prepared transaction holds" if kind == "prepared" else f"the row {part}"
    return f"a record of {part}"
