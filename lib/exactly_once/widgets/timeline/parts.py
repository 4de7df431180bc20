"""What the transaction timeline remembers of a run: transactions, lives of producers, events, offsets."""

from dataclasses import dataclass, field

from ...log.transactions.rules import COMPLETE_ABORT, COMPLETE_COMMIT, PREPARE_ABORT, PREPARE_COMMIT

PRODUCERS = ("P1", "P2")
LETTERS = dict(zip(PRODUCERS, "ab", strict=True))
INPUT, OUTPUT, GROUP, OFFSETS = "in", "out", "app", "__consumer_offsets-0"
STEP_S, TICK_S, CHECK_S = (
    2,
    10,
    10,
)  # seconds: of a thing done, of the clock's button, between the coordinator's checks
TIMEOUT_S = 60  # transaction.timeout.ms
MOST_ITEMS = 20
RESULTS = {PREPARE_COMMIT: "commit", COMPLETE_COMMIT: "commit", PREPARE_ABORT: "abort", COMPLETE_ABORT: "abort"}
PREPARED, COMPLETE = (PREPARE_COMMIT, PREPARE_ABORT), (COMPLETE_COMMIT, COMPLETE_ABORT)


@dataclass
class Transaction:
    """A transaction as its producer and the coordinator went through it; times are seconds, None: not yet.

    `marks` are (time, kind, text): "record", "late", "arrived", "refused" or "offsets". `why` is who ended it: "asked",
    "timed out", "restart". `position` is what it holds of the positions.
    """

    owner: str
    epoch: int
    began: float
    life: int = 1
    marks: list = field(default_factory=list)
    position: int | None = None
    known: bool = False  # to the coordinator
    decided: float | None = None
    result: str = ""
    why: str = ""
    ended: float | None = None


@dataclass
class Request:
    """A request to write one record that is late in the network."""

    life: "Life"
    name: str
    sequence: int
    transaction: Transaction
    producer: int
    epoch: int


@dataclass
class Life:
    """One life of a producer. `state` is "starts", "ready", "open", "must abort", "fenced" or "dead".

    `asks` is what it asks the coordinator again until there is an answer: "init", "commit" or "abort".
    """

    owner: str
    number: int
    began: float = 0.0
    state: str = "starts"
    asks: str = ""
    producer: int | None = None
    epoch: int | None = None
    position: int = 0
    sequence: int = 0
    stalled: float | None = None
    added: set = field(default_factory=set)
    transaction: Transaction | None = None


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
    coordinator decided of the transaction that it was sent in.
    """

    offset: int
    kind: str
    owner: str
    epoch: int
    name: str
    ended: str
    meant: str
    seen: bool  # by read_committed


@dataclass(frozen=True)
class Span:
    """A transaction in the partition: from its first record to its marker; `last` is None while it is open."""

    owner: str
    first: int
    last: int | None
    result: str
