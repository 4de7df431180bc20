"""What the transaction timeline remembers of a run: transactions, lives of producers, events, offsets."""

from dataclasses import dataclass, field

from ...log.transactions.producer import (
    ABORTABLE_ERROR,
    FATAL_ERROR,
    IN_TRANSACTION,
    READY,
    UNINITIALIZED,
    TransactionalProducer,
)

PRODUCERS = ("P1", "P2")
LETTERS = dict(zip(PRODUCERS, "ab", strict=True))
INPUT, OUTPUT, GROUP = "in", "out", "app"
PARTITION, POSITIONS = f"{OUTPUT}-0", "__consumer_offsets-0"
STEP_S, TICK_S = 2, 10  # seconds that the clock moves with each thing done, and with its own button
CHECK_S = 10  # seconds: transaction.abort.timed.out.transaction.cleanup.interval.ms
TIMEOUT_S = 60  # transaction.timeout.ms
MOST_ITEMS = 20
STATES = {
    UNINITIALIZED: "starts",
    READY: "ready",
    IN_TRANSACTION: "open",
    ABORTABLE_ERROR: "must abort",
    FATAL_ERROR: "fenced",
}


@dataclass
class Transaction:
    """A transaction as its producer and the coordinator went through it; times are seconds, None: not yet.

    `marks` are (time, kind, text): "record", "late", "arrived", "refused" or "offsets". `known` tells whether the
    coordinator has heard of it. `why` is who ended it: "asked", "timed out", "restart", or "refused" for one that
    never was. `position` is what it holds of the positions.
    """

    owner: str
    epoch: int
    began: float
    life: int = 1
    marks: list = field(default_factory=list)
    position: int | None = None
    known: bool = False
    decided: float | None = None
    result: str = ""
    why: str = ""
    ended: float | None = None


@dataclass
class Life:
    """One life of a producer: its client, and how far it has read its input.

    `asks` is what it asks the coordinator again until there is an answer: "init", "commit" or "abort". `stalled` is
    since when it is, or None.
    """

    owner: str
    number: int
    client: TransactionalProducer
    began: float = 0.0
    asks: str = ""
    position: int = 0
    stalled: float | None = None
    dead: bool = False
    transaction: Transaction | None = None

    @property
    def state(self):
        """How it stands: "starts", "ready", "open", "must abort", "fenced" or "dead"."""
        return "dead" if self.dead else STATES[self.client.state]

    @property
    def epoch(self):
        """The epoch that it writes with, or None."""
        return self.client.epoch


@dataclass(frozen=True)
class Request:
    """A request to write one record: whose, in which of its transactions, and what the client wrote on it."""

    life: Life
    transaction: Transaction
    name: str
    producer: int
    epoch: int
    sequence: int


@dataclass(frozen=True)
class Event:
    """One thing that happened: when, in seconds, to whom, in words; `error` is Kafka's name of a refusal.

    `stable` and `high` are the last stable offset and the high watermark after it.
    """

    at: float
    who: str
    what: str
    error: str
    stable: int
    high: int


@dataclass(frozen=True)
class Row:
    """One offset of the partition: a record, or a marker ("commit", "abort"), and how it stands.

    `ended` is the result of the transaction that it belongs to by the log, "" while that is open; `meant` is what the
    coordinator decided of the transaction that it was sent in; `seen` tells whether read_committed sees it.
    """

    offset: int
    kind: str
    owner: str
    epoch: int
    name: str
    ended: str
    meant: str
    seen: bool


@dataclass(frozen=True)
class Span:
    """A transaction in the partition: from its first record to its marker; `last` is None while it is open."""

    owner: str
    first: int
    last: int | None
    result: str
