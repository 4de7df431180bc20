"""A member of a consumer group that consumes and produces in transactions, as a process of its own.

Run as `python -m exactly_once.chapters.ch13.trials.member`. The first line of standard input is JSON: the arguments
of `Member`. Each further line is a command: `hold`, `hold_with_offset` or `go_on`. What happens is printed, a line of
JSON each: `[what, partitions or offset or answer, seconds by the machine's clock]`.
"""

import json
import os
import threading
import time
from queue import Empty, SimpleQueue
from typing import Any

import confluent_kafka
from confluent_kafka import KafkaError, KafkaException, TopicPartition

from ....log.kafka.clients import POLL_SECONDS, TransactionalProducer
from ....owned import heard_from_parent
from ....servers.where import Where
from .trial import ACCEPTED, answer

PER_PARTITION = "one producer per partition"
ASKED_ANEW = "asked anew"
COMMITTED_SECONDS = 60.0  # an offset that is pending in a transaction is told when that has ended


class Member:
    """A member and its producers: one, or one per partition, whose transactional id names the partition."""

    def __init__(
        self, where: list[Any], names: str, number: int, producers: str, metadata: str, session_ms: int,
        transaction_ms: int,
    ) -> None:  # fmt: skip
        self._where, self._names, self._number, self._transaction_ms = Where(*where), names, number, transaction_ms
        self._per_partition, self._anew = producers == PER_PARTITION, metadata == ASKED_ANEW
        self._producers: dict[str, TransactionalProducer] = {}
        self._joins = 0
        self._next: dict[int, int] = {}  # {partition of this member: the offset of its next record}
        self._holds: str | None = None  # the command to stop at the next record
        self.held = False  # it does nothing but wait for a command
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
        if self._per_partition:
            self._producers.clear()  # another member may have fenced them meanwhile
            for place in places:
                self._producer_for(place.partition)
        self._joins += 1
        tell("assigned", [place.partition for place in places])
        self._next = {one.partition: max(one.offset, 0) for one in self.consumer.committed(places, COMMITTED_SECONDS)}

    def obey(self, command: str) -> None:
        """Go on, or stop at the next record: before its offset is sent (`hold`), or before its commit."""
        if command == "go_on":
            self._go_on()
        self._holds = command
        tell("holds", "")

    def poll(self) -> None:
        """Handle the next record, in a transaction with its offset.

        Records before the position that this member keeps are passed over: librdkafka 2.16.0 may read a partition
        from its start, though its group has an offset. When an answer to ListOffsets comes after a member has lost
        the partition, the client asks for the start anew half a second later, also when the partition is the member's
        again. No fence looks at what a member reads.
        """
        message = self.consumer.poll(POLL_SECONDS)
        if message is None:
            return
        if message.error() is not None:
            if message.error().code() == KafkaError.INVALID_SESSION_TIMEOUT:
                raise KafkaException(message.error())
            return  # the client tries again
        partition, offset = message.partition(), message.offset()
        if partition not in self._next or offset < self._next[partition]:
            tell("passed over", offset)
            return
        self._metadata = self.consumer.consumer_group_metadata()
        self._next[partition] = offset + 1
        self._offset = {f"{message.topic()}-{partition}": offset + 1}
        self._producer = self._producer_for(partition)
        tell("read", offset)
        self._producer.begin_transaction()
        self._producer.send(f"{self._names}output-0", [message.value().decode()])
        if self._holds != "hold":
            self._send_offset()
        if self._holds is None:
            self._producer.commit_transaction()
        self.held = self._holds is not None
        tell("held" if self.held else "done", offset)

    def _send_offset(self) -> None:
        self._producer.send_offsets_to_transaction(self._offset, self._metadata)

    def _go_on(self) -> None:
        """Send the offset, commit or abort, as the answer is, and leave the group.

        The group's metadata are those of when the record was read, or are asked anew, once the client has joined the
        group again.
        """
        if self._anew:
            before = self._joins
            while self._joins == before:
                self.consumer.poll(POLL_SECONDS)
            self._metadata = self.consumer.consumer_group_metadata()
        heard = answer(self._send_offset)
        tell("heard", heard)
        end = self._producer.commit_transaction if heard == ACCEPTED else self._producer.abort_transaction
        tell("ended", [end.__name__, answer(end)])
        self.consumer.close()
        os._exit(0)


def tell(what: str, found: object) -> None:
    """Tell the notebook."""
    print(json.dumps([what, found, time.time()]), flush=True)


def main() -> None:
    """Be a member until the notebook is gone."""
    commands: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(commands,), daemon=True).start()
    try:
        member = Member(**json.loads(commands.get()))
        while True:
            try:
                member.obey(commands.get(member.held))
            except Empty:
                member.poll()
    except Exception as why:  # noqa: BLE001 - the notebook shall hear whatever ended it
        tell("failed", [type(why).__name__, str(why)])


def _listen(commands: "SimpleQueue[str]") -> None:
    for line in heard_from_parent():
        commands.put(line.decode())
    os._exit(0)


if __name__ == "__main__":
    main()
