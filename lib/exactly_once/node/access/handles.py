"""A handler's handles of its stores: registers, the partitioned log, the database, and stores of any name."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ...errors import BadInput, whole
from ...log.log import Acks
from ...log.machine import refused
from ...log.reading import Isolation
from ...stores.codec import Value, describe
from ..life import Life
from ..source import LOG, Record
from ..world import DATABASE
from .sessions import Session

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
