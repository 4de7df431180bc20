"""The cost of a rebalance while a transaction is open, and the fence against a member that was replaced (KIP-447).

Two real processes are the members of a group. One has a transaction open, and goes: by SIGKILL, or by SIGSTOP until
the group has replaced it. The times are those of this machine's clock.

Run as `python -m exactly_once.chapters.ch13.trials.rebalance`, with the arguments of `Member` as JSON, it is such a
member. Each line of standard input is JSON: a method of it with its arguments. For each line one is printed: the
answer, or {"failed": why}.
"""

import contextlib
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any, Literal

import confluent_kafka
from confluent_kafka import KafkaError, KafkaException, TopicPartition

from ....errors import CourseError, one_of, whole
from ....log.kafka.kafka_log import RETRY_SECONDS, KafkaLog
from ....log.kafka.librdkafka_producer import POLL_SECONDS, TransactionalProducer
from ....owned import heard_from_parent
from ....servers.kafka import Kafka
from ....servers.where import Where
from .trial import ACCEPTED, SOONER, WAIT_SECONDS, Act, Trial, answer, often, until

PRODUCERS = ("one producer per member", "one producer per partition")
HOWS = ("killed", "stopped")
METADATA = ("of the poll", "asked anew")
SIGNALS = {"killed": signal.SIGKILL, "stopped": signal.SIGSTOP, "woken": signal.SIGCONT}
RECORDS = ("order 1", "order 2")
STOPPED_MS = 60_000  # the time limit of the transaction of one that is stopped: it is there when it wakes up


class Member:
    """A member and its producers: one, or one per partition, whose transactional id names the partition."""

    def __init__(
        self, number: int, url: str, names: str, producers: str, session_ms: int, transaction_ms: int
    ) -> None:
        self._where, self._names, self._transaction_ms = Where.parse(url), names, transaction_ms
        self._per_partition = producers == PRODUCERS[1]
        self._producers = {} if self._per_partition else dict.fromkeys((0, 1), self._new_producer(f"member-{number}"))
        self._next: dict[int, int] = {}  # {partition of this member: the offset of its next record}
        self._since = 0.0
        self._open: list[int] = []  # the offset of the record whose transaction is open
        settings = self._where.settings(
            group_id=f"{names}group", isolation_level="read_committed", enable_auto_commit=False,
            auto_offset_reset="earliest", session_timeout_ms=session_ms, heartbeat_interval_ms=session_ms // 10,
        )  # fmt: skip
        self.consumer: Any = confluent_kafka.Consumer(settings)
        self.consumer.subscribe([f"{names}input"], on_assign=self._assigned)

    def _new_producer(self, name: str) -> TransactionalProducer:
        made = TransactionalProducer(self._where, f"{self._names}{name}", self._transaction_ms)
        made.init_transactions()  # it ends what another of this id has left open
        return made

    def _assigned(self, _: object, places: list[TopicPartition]) -> None:
        self._since = time.time()
        if self._per_partition:  # another member may have fenced those that it had
            numbers = [place.partition for place in places]
            self._producers = {number: self._new_producer(f"partition-{number}") for number in numbers}
        known = self.consumer.committed(places, WAIT_SECONDS)  # one that is pending is told when its transaction ends
        self._next = {one.partition: max(one.offset, 0) for one in known}

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
        self._producer = self._producers[message.partition()]
        self._producer.begin_transaction()
        self._producer.send(f"{self._names}output-0", [message.value().decode()])

    def send_offset(self, anew: bool = False) -> str:
        """Send the record's offset with the group's metadata of its poll, or asked `anew`; return the answer."""
        metadata = self.consumer.consumer_group_metadata() if anew else self._metadata
        return answer(lambda: self._producer.send_offsets_to_transaction(self._offsets, metadata))

    def end(self, call: str) -> str:
        """Call "commit_transaction" or "abort_transaction"; return what came of it."""
        self._open = []
        return answer(getattr(self._producer, call))


def main() -> None:
    """Be a member until the notebook is gone."""
    try:
        member = Member(*json.loads(sys.argv[1]))
        for name, *arguments in map(json.loads, heard_from_parent()):
            print(json.dumps(getattr(member, name)(*arguments)), flush=True)
    except Exception as why:  # noqa: BLE001 - the notebook shall hear whatever ended it
        print(json.dumps({"failed": f"{type(why).__name__}, {why}"}), flush=True)


class _Process(subprocess.Popen[str]):
    """A member's process, which carries out the methods of `Member`; it is killed in the end."""

    def __init__(self, *given: Any) -> None:
        super().__init__(
            [sys.executable, "-P", "-m", __spec__.name, json.dumps(given)], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,  # librdkafka prints there that it was fenced
        )  # fmt: skip

    def ask(self, *line: Any) -> Any:
        """Have the member carry out one of its methods; return the answer. Raises `CourseError` when it fails."""
        with contextlib.suppress(BrokenPipeError):
            print(json.dumps(line), file=self.stdin, flush=True)
        said = json.loads(self.stdout.readline() or '{"failed": "its process has ended"}')  # type: ignore[union-attr]
        if isinstance(said, dict):
            raise CourseError(f"A member of the group failed: {said['failed']}")
        return said

    def __exit__(self, *_: object) -> None:
        self.kill()
        with contextlib.suppress(BrokenPipeError):
            self.communicate()


def rebalance(
    how: Literal["killed", "stopped"] = "killed",
    producers: Literal["one producer per member", "one producer per partition"] = "one producer per member",
    metadata: Literal["of the poll", "asked anew"] = "of the poll",
    session_ms: int = 2_000,
    transaction_ms: int = 5_000,
    kafka: Kafka | None = None,
) -> Trial:
    """Let member 1 of two go while it has a transaction open, and measure how long the others wait.

    "killed" is a SIGKILL after it has sent its offset; "stopped" a SIGSTOP before that, until member 2 has handled
    the record. Then it goes on, with the group's `metadata` "of the poll" that gave it the record, or "asked anew",
    when its client has joined the group again. `session_ms` is session.timeout.ms (Kafka's default: 45000),
    `transaction_ms` transaction.timeout.ms (60000). `kafka` is by default one that takes such short ones.

    The result has seconds after member 1 went: `partitions` is until member 2 had all partitions, `position` until it
    read on in that of member 1, at offset `begins_at`, and `readers` until a read_committed reader of the output saw
    what others had written. `heard` is what member 1 hears when it wakes up and sends its offset, and `ended` how its
    transaction ended then; both are "" if it does not wake up. `output` is what a reader sees then, with so many
    `copies` of the record that member 1 had.

    Raises `BadInput` for other words or numbers; `CourseError` for a broker that takes no such `session_ms`, and when
    nothing happens for 60 s.
    """
    one_of("how", how, HOWS)
    one_of("producers", producers, PRODUCERS)
    one_of("metadata", metadata, METADATA)
    whole("session_ms", session_ms, least=500)
    transaction_ms = max(whole("transaction_ms", transaction_ms, least=500), STOPPED_MS * (how == "stopped"))
    trial = Trial(kafka, settings=SOONER)
    trial.log.create_topic("input", 2)
    trial.log.create_topic("output")
    given = trial.kafka.url, trial.names, producers, session_ms, transaction_ms
    with _Process(1, *given) as one, _Process(2, *given) as two:
        trial.run(_acts, one, two, how, metadata == METADATA[1])
    trial.copies = trial.output.count(RECORDS[0])
    trial.sentence = (
        f"Member 2 has the partition after {trial.partitions:.1f} s, and reads on at offset {trial.begins_at} after "
        f"{trial.position:.1f} s; readers of the output wait for {trial.readers:.1f} s. The record {RECORDS[0]!r} is "
        f"in the output {often(trial.copies)}."
    )
    return trial


def _acts(trial: Trial, one: _Process, two: _Process, how: str, anew: bool) -> Iterator[Act]:
    log, trial.heard, trial.ended = trial.log, "", ""
    until(lambda: [len(each.ask("poll")[0]) for each in (one, two)] == [1, 1])
    (partition,) = one.ask("poll")[0]
    yield "both", "join the group", f"member 1 has input-{partition}"
    log.append("input", partition, RECORDS)
    until(lambda: one.ask("poll")[2])
    if how == "killed":
        one.ask("send_offset")
    yield "member 1", f"reads {RECORDS[0]}", "its transaction is open"
    log.append("output", 0, ["of somebody else"])
    end = log.high_watermark("output", 0)
    gone = time.time()
    one.send_signal(SIGNALS[how])
    yield "member 1", "goes", how
    seen: SimpleQueue[float] = SimpleQueue()
    threading.Thread(target=lambda: seen.put(_seen(log, end)), daemon=True).start()
    until(lambda: len(two.ask("poll")[0]) == 2)
    trial.partitions = two.ask("poll")[1] - gone
    yield "member 2", "joins again", "both partitions"
    (trial.begins_at,) = offset = until(lambda: two.ask("poll")[2])
    trial.position = time.time() - gone
    while two.ask("send_offset") == two.ask("end", "commit_transaction") == ACCEPTED and offset != [len(RECORDS) - 1]:
        offset = until(lambda: two.ask("poll")[2])
    yield "member 2", "reads on", f"offset {trial.begins_at}, and to the end"
    if how == "stopped":
        one.send_signal(SIGNALS["woken"])
        since = one.ask("poll")[1]
        if anew:
            until(lambda: (two.ask("poll"), one.ask("poll", True))[1][1] > since)
        trial.heard = one.ask("send_offset", anew)
        yield "member 1", "wakes up, sends its offset", trial.heard
        call = "commit_transaction" if trial.heard == ACCEPTED else "abort_transaction"
        heard = one.ask("end", call)
        trial.ended = f"{call}: {heard}"
        yield "member 1", call, heard
    trial.readers = seen.get(timeout=WAIT_SECONDS) - gone
    _seen(log, log.high_watermark("output", 0))
    trial.output = tuple(trial.values("output"))
    yield "reader", "read_committed", str(list(trial.output))


def _seen(log: KafkaLog, end: int) -> float:
    """Wait until a read_committed reader of the output may see all before an offset; return when that was."""
    with KafkaLog(log.where, prefix=log.prefix) as own:
        while own.last_stable("output", 0) < end:
            time.sleep(RETRY_SECONDS)
    return time.time()


if __name__ == "__main__":
    main()
