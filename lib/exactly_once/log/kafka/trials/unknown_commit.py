"""A commit whose outcome is unknown: `commit_transaction` times out, abort is refused, and commit is called again.

Source: KafkaProducer's Javadoc on commitTransaction (time limit since 2.3.0, the guard since 3.2.0, KAFKA-13412).
"""

from dataclasses import dataclass

from ....servers.kafka.broker import Kafka
from ..clients import TransactionalProducer
from ..log import KafkaLog
from .proxy import END_TXN, Proxy
from .steps import Steps, Trial, insisted, often, own_names

MAX_BLOCK_MS = 2_000
CLIENT = "librdkafka"


@dataclass(frozen=True, repr=False)
class UnknownCommit(Trial):
    """What the calls heard: the `first` commit, the `abort` after it, and the commit `again`.

    `decided` is the coordinator's state between the first and the second; `copies` is how many copies of the record a
    read_committed reader sees in the end.
    """

    first: str
    decided: str
    abort: str
    again: str
    copies: int

    @property
    def sentence(self) -> str:
        """What came of it."""
        return f"The client is {CLIENT}; lost was the answer. A reader sees the record {often(self.copies)}."


def commit_times_out(kafka: Kafka | None = None) -> UnknownCommit:
    """Lose each answer to a request to end a transaction, until `commit_transaction` times out after 2 s.

    Then the wire is whole again: the producer calls `abort_transaction`, and `commit_transaction` again.
    """
    kafka, names, steps = kafka or Kafka.shared(), own_names(), Steps()
    with KafkaLog(kafka.where, prefix=names) as log, Proxy(kafka.where) as proxy:
        log.create_topic("output")
        producer = TransactionalProducer(proxy.where, f"{names}id", max_block_ms=MAX_BLOCK_MS)
        insisted(producer.init_transactions)
        producer.begin_transaction()
        steps.ask(CLIENT, "send", lambda: producer.send(f"{names}output-0", ["record"]))
        proxy.lose(END_TXN)
        first = steps.ask(CLIENT, "commit_transaction", producer.commit_transaction)
        decided = log.transactions.describe("id").state
        steps.note("coordinator", "describe", decided)
        proxy.mend()
        abort = steps.ask(CLIENT, "abort_transaction", producer.abort_transaction)
        again = steps.ask(CLIENT, "commit_transaction", lambda: insisted(producer.commit_transaction))
        log.write_due_markers("id")
        seen = log.fetch("output", 0, 0, isolation="read_committed")
        steps.note("reader", "read_committed", [record.value for record in seen])
        producer.close()
    return UnknownCommit(tuple(steps), first, decided, abort, again, len(seen))
