"""The transactional producer: a client's requests between `begin_transaction` and `commit_transaction`.

One client for all worlds: it reaches coordinator, partitions and offsets by requests with the methods of
`LogRequests`, of which a log, a node's steps and a process each have their own. Names and states are Kafka's (KIP-98;
the states of org.apache.kafka.clients.producer.internals.TransactionManager), in the spelling of
confluent-kafka-python.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from ...errors import OutcomeUnknown, whole
from ..broker.broker_cluster import RETRY_SECONDS
from ..broker.groups import OFFSETS
from ..log_errors import (
    RETRIABLE,
    ConcurrentTransactions,
    IllegalState,
    InvalidPidMapping,
    InvalidTxnState,
    LogError,
    ProducerFenced,
    TimedOut,
)
from ..storage.records import ABORT, COMMIT

OFFSETS_PARTITION = f"{OFFSETS}-0"
UNINITIALIZED, READY, IN_TRANSACTION = "UNINITIALIZED", "READY", "IN_TRANSACTION"
ABORTABLE_ERROR, FATAL_ERROR = "ABORTABLE_ERROR", "FATAL_ERROR"
FATAL = (ProducerFenced, InvalidPidMapping)
MAX_BLOCK_MS = 60_000  # max.block.ms
Answer = TypeVar("Answer")


class TransactionalProducer:
    """A producer of transactions. `transactional_id` is the same in all its incarnations; `timeout_ms` is Kafka's
    transaction.timeout.ms. After this time the coordinator aborts an open transaction.

    A request without an answer is repeated, which is harmless: batches are numbered, and all other requests are
    idempotent. A call that does not fit the state raises `IllegalState`, before anything is sent. After an error that
    is not fatal the one thing to do is `abort_transaction`; after a fatal one, such as `ProducerFenced`, a new
    producer is made.

    A call asks for up to `max_block_ms`, None meaning for ever; then it raises `TimedOut`. When `init_transactions`,
    `commit_transaction` or `abort_transaction` did so, the same call is made again, and any other is refused
    (KAFKA-13412). When `send` or `send_offsets_to_transaction` did, the transaction is aborted (KAFKA-18579).
    """

    def __init__(
        self,
        requests: Any,
        transactional_id: str,
        timeout_ms: int = 60_000,
        max_block_ms: int | None = None,
    ) -> None:
        self.requests, self.transactional_id, self.timeout_ms = requests, transactional_id, timeout_ms
        self.max_block_ms = None if max_block_ms is None else whole("max_block_ms", max_block_ms)
        self._open_call: str | None = None  # it timed out, and its result is unknown
        self.state = UNINITIALIZED
        self.producer: int | None = None
        self.epoch: int | None = None
        self.error: LogError | None = None
        self._added: tuple[str, ...] = ()  # to the transaction that is open
        self._sequences: dict[str, int] = {}  # the next number for each partition, in this epoch

    def init_transactions(self) -> None:
        """Get a producer id and an epoch that fences all earlier incarnations, and end their open transactions.

        Returns when the last transaction of this id is complete, so that what is read then is settled.
        """
        self._expect("init_transactions", UNINITIALIZED)
        self._new_epoch(None, None, "init_transactions")
        self.state = READY

    def begin_transaction(self) -> None:
        """Begin a transaction. No request: the coordinator learns of it with the first partition."""
        self._expect("begin_transaction", READY)
        self.state = IN_TRANSACTION

    def send(self, partition: str, records: Iterable[Any]) -> int:
        """Append records to a partition as one batch of the transaction; return the offset of the first."""
        if self.state != IN_TRANSACTION or self._open_call:
            self._expect("send", IN_TRANSACTION)
        sequence, records = self._sequences.get(partition, 0), list(records)
        if partition not in self._added:
            self._add(partition)
        offset = self._ask(self.requests.append, partition, records, self.producer, self.epoch, sequence)
        self._sequences[partition] = sequence + len(records)
        return offset

    def send_offsets_to_transaction(
        self, offsets: Mapping[str, int], group: str, generation: int | None = None
    ) -> None:
        """Commit {partition: offset of the next record} of a consumer group with the transaction.

        `generation` is the group's, from the consumer's metadata: a member that was replaced is refused (KIP-447).
        """
        self._expect("send_offsets_to_transaction", IN_TRANSACTION)
        if OFFSETS_PARTITION not in self._added:
            self._add(OFFSETS_PARTITION)
        self._ask(self.requests.commit_offsets, group, dict(offsets), self.producer, self.epoch, generation)

    def commit_transaction(self) -> None:
        """Commit: when this returns the coordinator has decided, for good."""
        self._expect("commit_transaction", IN_TRANSACTION)
        self._end(COMMIT)

    def abort_transaction(self) -> None:
        """Abort: nothing of the transaction will ever be seen by a read_committed reader."""
        self._expect("abort_transaction", IN_TRANSACTION, ABORTABLE_ERROR)
        self._end(ABORT)

    def _end(self, result: str) -> None:
        call = f"{result}_transaction"
        if self._added:
            asked = self.transactional_id, self.producer, self.epoch, result
            self._is(*self._ask(self.requests.end, *asked, decides=True, call=call))
        if self.error is not None and self._sequences:  # numbers may have been lost: begin anew in a new epoch
            self._new_epoch(self.producer, self.epoch, call)
        self.state, self.error, self._added = READY, None, ()

    def _new_epoch(self, producer: int | None, epoch: int | None, call: str) -> None:
        asked = self.transactional_id, self.timeout_ms, producer, epoch
        self._is(*self._ask(self.requests.init_producer, *asked, decides=True, call=call))

    def _is(self, producer: int, epoch: int) -> None:
        if (producer, epoch) != (self.producer, self.epoch):
            self.producer, self.epoch, self._sequences = producer, epoch, {}

    def _add(self, partition: str) -> None:
        """Have the coordinator note a partition. Java's client of 4.0 leaves this to the leader in protocol 2."""
        asked = self.transactional_id, self.producer, self.epoch, [partition]
        self._ask(self.requests.add_partitions, *asked, decides=True)
        self._added = (*self._added, partition)

    def _ask(
        self, request: Callable[..., Answer], *arguments: Any, decides: bool = False, call: str | None = None
    ) -> Answer:
        """Make a request until it is answered, or the time is over. A refusal leaves a state of error, and is raised.

        `decides`: it goes to the coordinator, whose word on a state that does not fit is final. `call` is the method
        to call again when the time is over; without one, the transaction can only be aborted then.
        """
        began = time.monotonic()
        while True:
            try:
                answer = request(*arguments)
            except ConcurrentTransactions as why:
                self._until_settled()
                self._wait(began, call, why)
            except RETRIABLE as why:
                if self.max_block_ms is None and isinstance(why, LogError):
                    self._fail(why, decides)
                    raise
                self._wait(began, call, why)
            except LogError as why:
                self._fail(why, decides)
                raise
            else:
                self._open_call = None
                return answer

    def _fail(self, why: LogError, decides: bool = False) -> None:
        self.state, self.error, self._open_call = ABORTABLE_ERROR, why, None
        if isinstance(why, FATAL) or (decides and isinstance(why, InvalidTxnState)):
            self.state, why.fatal = FATAL_ERROR, True

    def _wait(self, began: float, call: str | None, why: Exception) -> None:
        """Wait before a request is made again. Raises `TimedOut` when the time is over."""
        if self.max_block_ms is None:
            return
        if time.monotonic() - began < self.max_block_ms / 1000:
            time.sleep(RETRY_SECONDS)
            return
        said = f"There was no answer for {self.max_block_ms} ms, and the request may have arrived: {why}"
        if call is None:
            late = TimedOut(f"{said} Abort the transaction: what is sent again is another record.")
            self._fail(late)
            raise late from why
        self._open_call = call
        raise TimedOut(f"{said} Call {call}() again, as often as it takes, or make a new producer.") from why

    def _until_settled(self) -> None:
        while True:
            try:
                return self.requests.settled(self.transactional_id)
            except OutcomeUnknown:
                continue

    def _expect(self, call: str, *states: str) -> None:
        if self._open_call not in (None, call):
            raise IllegalState(
                f"{call}() was called, and {self._open_call}() timed out before: nobody knows what came of it. Call "
                f"{self._open_call}() again. Nothing was sent."
            )
        if self.state in states:
            return
        if self.error is not None:
            raise self.error
        raise IllegalState(
            f"{call}() was called in the state {self.state}, and fits {' or '.join(states)} only: {REMEDIES[call]} "
            "Nothing was sent."
        )


REMEDIES = {
    "init_transactions": "it is called once, first of all.",
    "begin_transaction": "call init_transactions() once, and end the transaction that is open.",
    "send": "call begin_transaction() first.",
    "send_offsets_to_transaction": "call begin_transaction() first.",
    "commit_transaction": "call begin_transaction() first.",
    "abort_transaction": "there is no transaction to abort.",
}
