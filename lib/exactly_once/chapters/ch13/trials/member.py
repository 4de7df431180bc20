"""A member of a consumer group that consumes and produces in transactions, as a process of its own.

Run as `python -m exactly_once.chapters.ch13.trials.member`. Each line of standard input is JSON: the arguments of
`Member`, and then a method of it with its arguments. For each line one is printed: the answer, or {"failed": why}.
"""

import json
import time
from typing import Any

import confluent_kafka
from confluent_kafka import KafkaError, KafkaException, TopicPartition

from ....log.kafka.clients import POLL_SECONDS, TransactionalProducer
from ....owned import heard_from_parent
from ....servers.where import Where
from .trial import answer

PER_PARTITION = "one producer per partition"
COMMITTED_SECONDS = 60.0  # an offset that is pending in a transaction is told when that has ended


class Member:
    """A member and its producers: one, or one per partition, whose transactional id names the partition."""

    def __init__(
        self, number: int, where: list[Any], names: str, producers: str, session_ms: int, transaction_ms: int
    ) -> None:
        self._where, self._names, self._number, self._transaction_ms = Where(*where), names, number, transaction_ms
        self._per_partition = producers == PER_PARTITION
        self._producers: dict[str, TransactionalProducer] = {}
        self._next: dict[int, int] = {}  # {partition of this member: the offset of its next record}
        self._since = 0.0
        self._open: list[int] = []  # the offset of the record whose transaction is open
        settings = self._where.settings(
            group_id=f"{names}group", isolation_level="read_committed", enable_auto_commit=False,
            auto_offset_reset="earliest", session_timeout_ms=session_ms, heartbeat_interval_ms=session_ms // 10,
        )  # fmt: skip
        self.consumer: Any = confluent_kafka.Consumer(settings)
        if not self._per_partition:
            self._producer_for(0)
        self.consumer.subscribe([f"{names}input"], on_assign=self._assigned)

    def _producer_for(self, partition: int) -> TransactionalProducer:
        name = f"partition-{partition}" if self._per_partition else f"member-{self._number}"
        if name not in self._producers:
            made = TransactionalProducer(self._where, f"{self._names}{name}", self._transaction_ms)
            made.init_transactions()  # it ends what another of this id has left open
            self._producers[name] = made
        return self._producers[name]

    def _assigned(self, _: object, places: list[TopicPartition]) -> None:
        self._since = time.time()
        if self._per_partition:
            self._producers.clear()  # another member may have fenced them meanwhile
            for place in places:
                self._producer_for(place.partition)
        self._next = {one.partition: max(one.offset, 0) for one in self.consumer.committed(places, COMMITTED_SECONDS)}

    def poll(self, drop: bool = False) -> tuple[list[int], float, list[int]]:
        """Write the next record's copy in a transaction, if it is there and no other is open; or `drop` the record.

        Returns the partitions of this member, since when it has them, by the machine's clock, and the offset of the
        record whose transaction is open, in a list.

        Records before the position that this member keeps are passed over: librdkafka 2.16.0 may read a partition
        from its start, though its group has an offset. When an answer to ListOffsets comes after a member has lost
        the partition, the client asks for the start anew half a second later, also when the partition is the member's
        again. No fence looks at what a member reads.
        """
        message = self.consumer.poll(POLL_SECONDS) if drop or not self._open else None
        if message is not None and message.error() is not None:
            if message.error().code() == KafkaError.INVALID_SESSION_TIMEOUT:
                raise KafkaException(message.error())  # after another error the client tries again
        elif message is not None and not drop and message.offset() >= self._next.get(message.partition(), 1 << 62):
            self._begin(message)
        return list(self._next), self._since, self._open

    def _begin(self, message: Any) -> None:
        self._metadata = self.consumer.consumer_group_metadata()
        self._open, self._next[message.partition()] = [message.offset()], message.offset() + 1
        self._offsets = {f"{message.topic()}-{message.partition()}": message.offset() + 1}
        self._producer = self._producer_for(message.partition())
        self._producer.begin_transaction()
        self._producer.send(f"{self._names}output-0", [message.value().decode()])

    def send_offset(self, anew: bool = False) -> str:
        """Send the record's offset, with the group's metadata of when it was read, or asked `anew`; return what came
        of it.
        """
        metadata = self.consumer.consumer_group_metadata() if anew else self._metadata
        return answer(lambda: self._producer.send_offsets_to_transaction(self._offsets, metadata))

    def end(self, call: str) -> str:
        """Call "commit_transaction" or "abort_transaction"; return what came of it."""
        self._open = []
        return answer(getattr(self._producer, call))


def main() -> None:
    """Be a member until the notebook is gone."""
    lines = map(json.loads, heard_from_parent())
    try:
        member = Member(*next(lines))
        print("true", flush=True)
        for name, *arguments in lines:
            print(json.dumps(getattr(member, name)(*arguments)), flush=True)
    except Exception as why:  # noqa: BLE001 - the notebook shall hear whatever ended it
        print(json.dumps({"failed": f"{type(why).__name__}, {why}"}), flush=True)


if __name__ == "__main__":
    main()
