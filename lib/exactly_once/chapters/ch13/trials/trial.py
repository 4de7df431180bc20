"""What trials have in common: the broker and a client for them, their steps, and the result."""

import secrets
import textwrap
import time
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any, NamedTuple, Self, TypeAlias

from ....errors import CourseError
from ....log.kafka.kafka_log import RETRY_SECONDS, KafkaLog
from ....log.kafka.librdkafka_producer import TransactionalProducer
from ....log.log_errors import TimedOut
from ....log.reading import Isolation
from ....servers.kafka import Kafka
from ....servers.where import Where

ACCEPTED = "accepted"
WAIT_SECONDS, LATE = 60.0, "What was to be done did not happen"
WIDTH = 100  # characters of a line in a notebook's output
SOONER = (  # settings of a broker on which things happen soon that take a minute at work; or that happened before 3.6
    "transaction.partition.verification.enable=false",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms=200",
    "group.min.session.timeout.ms=500",
)


Act: TypeAlias = tuple[str, str, str | Callable[[], object]]  # who, does what, and what it hears, or the call


class Step(NamedTuple):
    """One step, `seconds` after the trial began: its actor, the action, and the answer."""

    seconds: float
    who: str
    does: str
    hears: str


class Trial(SimpleNamespace):
    """A trial, and in the end its result: `steps` in the order of their ends, a `sentence` on them, what was found.

    `kafka` is the broker, by default the shared one with these `options`. `log` is a client of it; its topics, groups
    and ids are named as no other's are, with `names` before them.
    """

    def __init__(self, kafka: Kafka | None = None, **options: Any) -> None:
        super().__init__(steps=[], sentence="", kafka=kafka or Kafka.shared(**options), began=time.monotonic())
        self.names = f"trial-{secrets.token_hex(3)}-"
        self.log = KafkaLog(self.kafka.where, prefix=self.names)

    def run(self, acts: Callable[..., Iterable[Act]], *given: Any) -> Self:
        """Carry out the acts of a trial in turn, and note each as a step when it ends. Returns the trial."""
        with self.log:
            for who, does, act in acts(self, *given):
                hears = act if isinstance(act, str) else answer(act)
                self.steps.append(Step(round(time.monotonic() - self.began, 1), who, does, hears))
        return self

    def producer(self, where: Where, **settings: Any) -> TransactionalProducer:
        """Return a producer with the id "id" that has begun a transaction."""
        made = TransactionalProducer(where, f"{self.names}id", **settings)
        until(made.init_transactions, TimedOut)  # a broker that has just started takes its time
        made.begin_transaction()
        return made

    def values(self, topic: str, isolation: Isolation = "read_committed") -> list[Any]:
        """Return the values that a reader sees of a topic."""
        return [record.value for record in self.log.fetch(topic, 0, 0, isolation=isolation)]

    def __repr__(self) -> str:
        return f"{table(('s', 'who', 'does', 'hears'), self.steps)}\n{textwrap.fill(self.sentence, WIDTH)}"


def answer(call: Callable[[], object]) -> str:
    """Return what a call says in words, else "accepted"; or the name of its error."""
    try:
        said = call()
    except CourseError as why:
        return type(why).__name__
    return said if isinstance(said, str) else ACCEPTED


def until(ask: Callable[[], Any], but: type[CourseError] | tuple[()] = (), late: str = LATE) -> Any:
    """Ask again while the answer is False or [], or an error such as `but`; return the answer.

    After `WAIT_SECONDS` the error is raised, or `CourseError`, which says what is `late`.
    """
    deadline, why = time.monotonic() + WAIT_SECONDS, None
    while True:
        try:
            if (found := ask()) is not False and found != []:
                return found
        except but as error:
            why = error
        if time.monotonic() > deadline:
            raise why or CourseError(f"{late} within {WAIT_SECONDS:g} s. Run the cell again.")
        time.sleep(RETRY_SECONDS)


def often(count: int) -> str:
    """Return a number of times in words."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def table(heads: tuple[str, ...], rows: Any) -> str:
    """Return rows as a table of text."""
    cells = [heads, *(tuple(map(str, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    return "\n".join([lines[0], "-" * (sum(widths) + 2 * len(widths) - 2), *lines[1:]])
