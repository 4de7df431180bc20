"""The records of a timeline's run: transactions, incarnations of producers, events, offsets."""

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
STEP_S, TICK_S = 2, 10  # seconds: the clock moves so far with each step, and with its own button
CHECK_S = 10  # seconds: transaction.abort.timed.out.transaction.cleanup.interval.ms
TIMEOUT_S = 60  # transaction.timeout.ms
MOST_ITEMS = 20
CALLS = {"init": "init_transactions", "commit": "commit_transaction", "abort": "abort_transaction"}
STATES = {
    UNINITIALIZED: "starts",
    READY: "ready",
    IN_TRANSACTION: "open",
    ABORTABLE_ERROR: "must abort",
    FATAL_ERROR: "fenced",
}


@dataclass
class Transaction:
    """A transaction in the order of its producer's and the coordinator's steps; times are seconds, None: not yet.

    `marks` are (time, kind, text): "record", "late", "arrived", "refused" or "offsets". `known` tells whether the
    coordinator has received a request of it. `why` is the reason of its end: "asked", "timed out", "restart", or
    "refused" for a transaction that never existed at the coordinator. `position` is the producer's position in it.
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
    """One incarnation of a producer: its client, and its position in its input.

    `asks` is the request that it repeats until the coordinator answers: "init", "commit" or "abort"; `stalls` are
    [from, until], with None until it wakes up.
    """

    owner: str
    number: int
    client: TransactionalProducer
    began: float = 0.0
    asks: str = ""
    position: int = 0
    stalls: list = field(default_factory=list)
    dead: bool = False
    transaction: Transaction | None = None

    @property
    def state(self):
        """Its state: "starts", "ready", "open", "must abort", "fenced" or "dead"."""
        return "dead" if self.dead else STATES[self.client.state]

    @property
    def stalled(self):
        """Whether it stalls now."""
        return bool(self.stalls) and self.stalls[-1][1] is None

    @property
    def fate(self):
        """Why it does nothing, in words: "was killed", "has stalled", or ""."""
        return "was killed" if self.dead else "has stalled" if self.stalled else ""

    @property
    def epoch(self):
        """The epoch with which it writes, or None."""
        return self.client.epoch


@dataclass(frozen=True)
class Request:
    """A request to write one record: the sender, its transaction, and the fields that the client set."""

    life: Life
    transaction: Transaction
    name: str
    producer: int
    epoch: int
    sequence: int


@dataclass(frozen=True)
class Event:
    """One event: the time in seconds, the process, the words; `error` is Kafka's name of a refusal.

    `stable` and `high` are the last stable offset and the high watermark after it.
    """

    at: float
    who: str
    what: str
    error: str
    stable: int
    high: int


@dataclass
class Span:
    """A transaction in the partition: from its first record to its marker; `last` is None while it is open."""

    owner: str
    first: int
    last: int | None = None
    result: str = ""


@dataclass(frozen=True)
class Row:
    """One offset of the partition: a record, or a marker ("commit", "abort"), and its standing.

    `span` is a record's transaction by the log; `meant` is the coordinator's decision on the transaction in which it
    was sent; `seen` tells whether read_committed sees it.
    """

    offset: int
    kind: str
    owner: str
    epoch: int
    name: str = ""
    span: Span | None = None
    meant: str = ""
    seen: bool = False

    @property
    def ended(self):
        """The result of a record's transaction by the log, "" while that is open."""
        return self.span.result if self.span else ""
