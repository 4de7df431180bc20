"""A commit whose outcome is unknown: `commit_transaction` times out, abort is refused, and commit is called again.

Source: KafkaProducer's Javadoc on commitTransaction (time limit since 2.3.0, the guard since 3.2.0, KAFKA-13412).
"""

from dataclasses import dataclass
from typing import Any, Literal

from ....errors import one_of
from ....servers.kafka.broker import Kafka
from ..clients import TransactionalProducer
from ..java_producer import JavaProducer
from ..log import KafkaLog
from .proxy import END_TXN, ProxiedLog, Proxy
from .steps import Steps, Trial, insisted, often, own_names

MAX_BLOCK_MS = 2_000
CLIENTS: dict[str, Any] = {"librdkafka": TransactionalProducer, "course": None, "java": JavaProducer}
LOSSES = ("answer", "request")


@dataclass(frozen=True, repr=False)
class UnknownCommit(Trial):
    """What the calls heard: the `first` commit, the `abort` after it, and the commit `again`.

    `decided` is the coordinator's state between the first and the second; `copies` is how many copies of the record a
    read_committed reader sees in the end.
    """

    client: str
    lost: str
    first: str
    decided: str
    abort: str
    again: str
    copies: int

    @property
    def sentence(self) -> str:
        """What came of it."""
        return (
            f"The client is {self.client}; lost was the {self.lost}. A reader sees the record {often(self.copies)}."
        )


def commit_times_out(
    client: Literal["librdkafka", "course", "java"] = "librdkafka",
    lost: Literal["answer", "request"] = "answer",
    kafka: Kafka | None = None,
) -> UnknownCommit:
    """Lose each request to end a transaction, or its answer, until `commit_transaction` times out after 2 s.

    Then the wire is whole again: the producer calls `abort_transaction`, and `commit_transaction` again. Raises
    `BadInput` for another client or loss.
    """
    one_of("client", client, CLIENTS)
    one_of("lost", lost, LOSSES)
    kafka, names, steps = kafka or Kafka.shared(), own_names(), Steps()
    output, near = f"{names}output-0", KafkaLog(kafka.where, prefix=names)
    with near as log, Proxy(kafka.where) as proxy, ProxiedLog(proxy) as far:
        log.create_topic("output")
        producer: Any
        if client == "course":
            producer = far.transactional_producer(f"{names}id", max_block_ms=MAX_BLOCK_MS)
        else:
            producer = CLIENTS[client](proxy.where, f"{names}id", max_block_ms=MAX_BLOCK_MS)
        insisted(producer.init_transactions)
        producer.begin_transaction()
        steps.ask(client, "send", lambda: producer.send(output, ["record"]))
        proxy.lose(END_TXN, lost)
        first = steps.ask(client, "commit_transaction", producer.commit_transaction)
        decided = log.transactions.describe("id").state
        steps.note("coordinator", "describe", decided)
        proxy.mend()
        abort = steps.ask(client, "abort_transaction", producer.abort_transaction)
        again = steps.ask(client, "commit_transaction", lambda: insisted(producer.commit_transaction))
        log.write_due_markers("id")
        seen = log.fetch("output", 0, 0, isolation="read_committed")
        steps.note("reader", "read_committed", [record.value for record in seen])
        if client != "course":
            producer.close()
    return UnknownCommit(tuple(steps), client, lost, first, decided, abort, again, len(seen))
