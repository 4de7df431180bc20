"""Where the clients differ: the epoch after each commit, and what each is told when its transaction is not its own.

librdkafka speaks the first version of transactions, Java's client the second, the course's client either. Source:
KIP-890, part 2: the epoch is bumped at the end of every transaction, so that a late request is refused.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ....errors import whole
from ....servers.kafka.broker import Kafka
from ..clients import TransactionalProducer
from ..java_producer import JavaProducer
from ..log import RETRY_SECONDS, KafkaLog
from .steps import SOONER, Steps, Trial, insisted, own_names

CLIENTS = ("librdkafka", "course, first version", "course, second version", "java")
FENCED, LATE = "another producer has its id", "the coordinator has aborted it at its time limit"
LIMIT_MS = 2_000


@dataclass(frozen=True, repr=False)
class Epochs(Trial):
    """The coordinator's epoch of a producer before the first transaction and after each: {client: epochs}."""

    epochs: dict[str, tuple[int, ...]]

    @property
    def sentence(self) -> str:
        """What came of it."""
        return "The epoch grows with each commit of those that speak the second version of transactions."


@dataclass(frozen=True, repr=False)
class Refusals(Trial):
    """What a client hears that commits a transaction which is not its own any more: {client: {cause: error}}."""

    heard: dict[str, dict[str, str]]

    @property
    def sentence(self) -> str:
        """What came of it."""
        alike = [client for client, heard in self.heard.items() if len(set(heard.values())) == 1]
        return f"{'; '.join(alike)}: the same error in both cases. It does not tell whether another producer lives."


def epochs_of_clients(transactions: int = 3, kafka: Kafka | None = None) -> Epochs:
    """Commit so many transactions with each client, and ask the coordinator for the epoch after each.

    Raises `BadInput` for another number.
    """
    whole("transactions", transactions, least=1, most=100)
    kafka, names, steps, found = kafka or Kafka.shared(), own_names(), Steps(), {}
    with _clients(kafka, names) as (log, clients):
        for client, make in clients.items():
            producer = make(f"{names}{client}")
            epochs = [log.transactions.describe(client).epoch]
            for _ in range(transactions):
                producer.begin_transaction()
                producer.send(f"{names}output-0", ["record"])
                producer.commit_transaction()
                log.write_due_markers(client)
                epochs.append(log.transactions.describe(client).epoch)
            found[client] = tuple(epochs)
            steps.note(client, f"commit {transactions} transactions", f"epochs {', '.join(map(str, epochs))}")
    return Epochs(tuple(steps), found)


def refusals_of_clients(kafka: Kafka | None = None) -> Refusals:
    """Have each client commit a transaction that another producer of its id has ended, or the coordinator has.

    `kafka` is by default one that looks for transactions beyond their time limit five times a second.
    """
    kafka, names, steps, found = kafka or Kafka.shared(settings=SOONER), own_names(), Steps(), {}
    with _clients(kafka, names) as (log, clients):
        for client, make in clients.items():
            found[client] = {}
            for cause in (FENCED, LATE):
                name = f"{client}, {cause}"
                producer = make(f"{names}{name}", LIMIT_MS if cause == LATE else 60_000)
                producer.begin_transaction()
                producer.send(f"{names}output-0", ["record"])
                if cause == FENCED:
                    make(f"{names}{name}")
                while log.transactions.describe(name).state == "Ongoing":
                    time.sleep(RETRY_SECONDS)
                log.write_due_markers(name)
                found[client][cause] = steps.ask(client, f"commit; {cause}", producer.commit_transaction)
    return Refusals(tuple(steps), found)


@contextlib.contextmanager
def _clients(kafka: Kafka, names: str) -> Iterator[tuple[KafkaLog, dict[str, Callable[..., Any]]]]:
    """Give a log, and {client: how to make a producer of it, initialized}; the producers are closed in the end."""
    where, made = kafka.where, contextlib.ExitStack()
    with made, KafkaLog(where, 1) as first, KafkaLog(where, 2) as second, KafkaLog(where, prefix=names) as log:
        log.create_topic("output")
        kinds: tuple[Callable[..., Any], ...] = (
            lambda *asked: TransactionalProducer(where, *asked), first.transactional_producer,
            second.transactional_producer, lambda *asked: JavaProducer(where, *asked),
        )  # fmt: skip

        def initialized(kind: Callable[..., Any], *asked: Any) -> Any:
            producer = kind(*asked)
            if hasattr(producer, "close"):
                made.callback(producer.close)
            insisted(producer.init_transactions)
            return producer

        yield (
            log,
            {
                client: lambda *asked, kind=kind: initialized(kind, *asked)
                for client, kind in zip(CLIENTS, kinds, strict=True)
            },
        )
