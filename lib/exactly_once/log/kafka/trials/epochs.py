"""A producer's epoch after each commit: librdkafka speaks the first version of transactions, Java's client version 2.

Source: KIP-890, part 2: the epoch is bumped at the end of every transaction, so that a late request is refused.
"""

from dataclasses import dataclass
from typing import Any

from ....errors import whole
from ....servers.kafka.broker import Kafka
from ..clients import TransactionalProducer
from ..java_producer import JavaProducer
from ..log import KafkaLog
from .steps import Steps, Trial, insisted, own_names


@dataclass(frozen=True, repr=False)
class Epochs(Trial):
    """The coordinator's epoch of a producer before the first transaction and after each: {client: epochs}."""

    epochs: dict[str, tuple[int, ...]]

    @property
    def sentence(self) -> str:
        """What came of it."""
        return "; ".join(f"{client}: {', '.join(map(str, found))}" for client, found in self.epochs.items())


def epochs_of_clients(transactions: int = 3, kafka: Kafka | None = None) -> Epochs:
    """Commit so many transactions with each client, and ask the coordinator for the epoch after each.

    The clients are librdkafka, Java's, and the course's with each version. Raises `BadInput` for another number.
    """
    whole("transactions", transactions, least=1, most=100)
    kafka, names, steps, found = kafka or Kafka.shared(), own_names(), Steps(), {}
    where, output = kafka.where, f"{names}output-0"
    with KafkaLog(where, 1) as first, KafkaLog(where, 2) as second:
        first.create_topic(f"{names}output")
        clients: dict[str, Any] = {
            "librdkafka": lambda name: TransactionalProducer(where, name),
            "course, first version": first.transactional_producer,
            "course, second version": second.transactional_producer,
            "java": lambda name: JavaProducer(where, name),
        }
        for client, made in clients.items():
            name = f"{names}{client}"
            producer = made(name)
            insisted(producer.init_transactions)
            epochs = [first.transactions.describe(name).epoch]
            for _ in range(transactions):
                producer.begin_transaction()
                producer.send(output, ["record"])
                producer.commit_transaction()
                first.write_due_markers(name)
                epochs.append(first.transactions.describe(name).epoch)
            found[client] = tuple(epochs)
            steps.note(client, f"commit {transactions} transactions", f"epochs {', '.join(map(str, epochs))}")
            if hasattr(producer, "close"):
                producer.close()
    return Epochs(tuple(steps), found)
