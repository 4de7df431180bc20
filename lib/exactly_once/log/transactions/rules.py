"""The decisions of a transaction coordinator: functions from the state of a transactional id to its next state.

Nothing is written here. Each function takes a `Transaction`, returns the next one, or raises the refusal; a request
that changes nothing returns the very same one. Protocol 1 is the classic one (KIP-98, KIP-360), in which the epoch
stays over commits and aborts; in protocol 2 (KIP-890) every end of a transaction raises it. Sources: these KIPs, and
the order of the checks in Kafka's TransactionCoordinator and TransactionMetadata (4.3).
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple, TypeAlias

from ..log_errors import ConcurrentTransactions, InvalidPidMapping, InvalidTxnState, ProducerFenced
from ..storage.records import ABORT, COMMIT, NOBODY

EMPTY, ONGOING = "Empty", "Ongoing"
PREPARE_COMMIT, PREPARE_ABORT = "PrepareCommit", "PrepareAbort"
COMPLETE_COMMIT, COMPLETE_ABORT = "CompleteCommit", "CompleteAbort"
DECIDED = {COMMIT: PREPARE_COMMIT, ABORT: PREPARE_ABORT}
COMPLETE = {COMMIT: COMPLETE_COMMIT, ABORT: COMPLETE_ABORT}
RESULTS = {PREPARE_COMMIT: COMMIT, PREPARE_ABORT: ABORT}
LARGEST_EPOCH = 2**15 - 1  # never given to a producer: it is there to fence the one that has the epoch before it
LAST_EPOCH = LARGEST_EPOCH - 1  # the last one that a producer may have
Protocol: TypeAlias = Literal[1, 2]


class Transaction(NamedTuple):
    """All that is kept of a transactional id: one record of the coordinator's log.

    `last_epoch` is the epoch that the producer itself gave up for `epoch`; a request with it is one sent again.
    `last_producer` had the id before the last change, `next_producer` gets it when the markers are written. The
    `partitions` are names such as "output-0", sorted; `started` and `updated` are times in milliseconds, `protocol`
    the one by which it was last changed.
    """

    transactional_id: str
    producer: int
    epoch: int = NOBODY
    last_epoch: int = NOBODY
    state: str = EMPTY
    partitions: tuple[str, ...] = ()
    timeout_ms: int = 60_000
    started: int | None = None
    updated: int = 0
    last_producer: int = NOBODY
    next_producer: int = NOBODY
    protocol: int = 1


def initialized(
    now: int, timeout_ms: int, new_producer_id: Callable[[], int], was: Transaction, producer: Any = None,
    epoch: int | None = None,
) -> Transaction:  # fmt: skip
    """InitProducerId, when nothing is open: an incarnation of a producer begins, and fences the one before it.

    Without `producer` and `epoch` it is a new instance, and gets a higher epoch. With them it is one that goes on
    after an error (KIP-360); it has to be the last one that began.
    """
    if was.epoch == NOBODY:
        return _next(was, now, epoch=0, timeout_ms=timeout_ms)
    if epoch is not None:
        check_renewal(was, producer, epoch)
        if (producer, epoch) != (was.producer, was.epoch) and was.epoch != LARGEST_EPOCH:  # sent again
            return _next(was, now, state=EMPTY, started=None, timeout_ms=timeout_ms, last_producer=was.last_producer)
    given_up = NOBODY if epoch is None else epoch
    cleared = {"last_epoch": given_up, "state": EMPTY, "started": None, "timeout_ms": timeout_ms}
    if was.epoch >= LAST_EPOCH:
        return _next(was, now, producer=new_producer_id(), epoch=0, **cleared)
    return _next(was, now, epoch=was.epoch + 1, **cleared)


def check_renewal(was: Transaction, producer: int | None, epoch: Any) -> None:
    """Raise `ProducerFenced` unless a producer that goes on has the newest epoch, or just gave it up."""
    same = producer == was.producer and epoch in (was.epoch, was.last_epoch)
    rotated = producer == was.last_producer and epoch == was.last_epoch and epoch >= LAST_EPOCH
    if epoch == NOBODY or not (same or rotated):
        raise ProducerFenced(_fenced(was, producer, epoch))


def fenced(now: int, protocol: int, was: Transaction) -> Transaction:
    """Abort an open transaction, with an epoch that no producer has: by a new instance, or after the timeout."""
    epoch = min(was.epoch + 1, LARGEST_EPOCH)
    last_epoch = was.epoch if protocol == 2 else NOBODY
    return _next(was, now, state=PREPARE_ABORT, epoch=epoch, last_epoch=last_epoch, protocol=protocol)


def with_partitions(
    now: int, protocol: int, was: Transaction, producer: int, epoch: int, partitions: Iterable[str]
) -> Transaction:
    """AddPartitionsToTxn, AddOffsetsToTxn: the first one begins the transaction, and its time."""
    _check_producer(was, producer, epoch)
    refuse_decided(was)
    both = tuple(sorted({*was.partitions, *partitions}))
    if was.state == ONGOING:
        return was if both == was.partitions else _next(was, now, partitions=both, protocol=protocol)
    return _next(was, now, state=ONGOING, partitions=both, started=now, protocol=protocol)


def ended(
    now: int, protocol: int, new_producer_id: Callable[[], int], was: Transaction, producer: int, epoch: int,
    result: str,
) -> Transaction:  # fmt: skip
    """EndTxn: the decision. Returns the same `Transaction` for a request that is sent again after its completion."""
    again = protocol == 2 and _is_sent_again(was, producer, epoch)
    if not again:
        _check_producer(was, producer, epoch)
        if protocol == 2 and was.state in RESULTS:  # the epoch was raised, and nobody has been told the new one
            raise ProducerFenced(_fenced(was, producer, epoch))
    if was.state == DECIDED[result]:
        refuse_decided(was)
    if was.state == ONGOING or (protocol == 2 and not again and result == ABORT):
        return _decided(now, protocol, new_producer_id, was, result)
    if was.state == COMPLETE[result] and (again or protocol == 1):
        return was
    raise InvalidTxnState(
        f"Transactional id {was.transactional_id!r} is in state {was.state}, and cannot {result} in it: "
        f"{_why_not(was, again)}"
    )


def completed(now: int, was: Transaction) -> Transaction:
    """All markers are written."""
    state = COMPLETE[RESULTS[was.state]]
    producer, epoch = owner_after(was)
    return _next(was, now, state=state, producer=producer, epoch=epoch, next_producer=NOBODY, partitions=())


def owner_after(was: Transaction) -> tuple[int, int]:
    """Return (producer, epoch) with which the producer goes on after the end that was decided."""
    return (was.producer, was.epoch) if was.next_producer == NOBODY else (was.next_producer, 0)


def timed_out(now: int, was: Transaction) -> bool:
    """Tell whether a transaction is open for longer than its timeout; a decided one never times out."""
    return was.state == ONGOING and was.started is not None and was.started + was.timeout_ms < now


def expired(now: int, after_ms: int, was: Transaction) -> bool:
    """Tell whether a transactional id was not used for so long; one with an open transaction never expires."""
    return was.state not in (ONGOING, PREPARE_COMMIT, PREPARE_ABORT) and was.updated + after_ms <= now


def refuse_decided(was: Transaction) -> None:
    """Raise `ConcurrentTransactions` while the markers of a transaction are being written."""
    if was.state in RESULTS:
        raise ConcurrentTransactions(
            f"The last transaction of {was.transactional_id!r} is decided ({was.state}), and its markers are not "
            "all written: send the same request again in a moment."
        )


def _decided(
    now: int, protocol: int, new_producer_id: Callable[[], int], was: Transaction, result: str
) -> Transaction:
    changes = {"state": DECIDED[result], "protocol": protocol}
    if protocol == 2:
        changes |= {"epoch": min(was.epoch + 1, LARGEST_EPOCH), "last_epoch": was.epoch}
        if was.epoch >= LAST_EPOCH:
            changes["next_producer"] = new_producer_id()
        if was.state != ONGOING:
            changes["started"] = now
    return _next(was, now, **changes)


def _is_sent_again(was: Transaction, producer: int, epoch: int) -> bool:
    """Tell whether an EndTxn of protocol 2 has the epoch that the last one gave up."""
    if producer == was.producer and epoch + 1 == was.epoch:
        return was.state not in (EMPTY, ONGOING)
    rotated = producer == was.last_producer and epoch == LAST_EPOCH and was.epoch == 0
    return rotated and was.state in COMPLETE.values()


def _check_producer(was: Transaction, producer: int, epoch: int) -> None:
    if producer != was.producer:
        raise InvalidPidMapping(
            f"Producer {producer} does not have the transactional id {was.transactional_id!r}; producer "
            f"{was.producer} has. Initialise the producer again."
        )
    if epoch != was.epoch:
        raise ProducerFenced(_fenced(was, producer, epoch))


def _fenced(was: Transaction, producer: int | None, epoch: int) -> str:
    return (
        f"Producer {producer} with epoch {epoch} is not the last one with the transactional id "
        f"{was.transactional_id!r}: a newer instance began, or its transaction timed out. Close this producer. "
        "A new one begins with init_transactions(), and with the positions of the group that it joins."
    )


def _why_not(was: Transaction, again: bool) -> str:
    if was.state == EMPTY:
        return "no transaction was begun. Add a partition first."
    if was.state in RESULTS:
        return f"the transaction is decided to {RESULTS[was.state]}."
    return "its last transaction ended the other way." if again else "no transaction is open. Add a partition first."


def _next(was: Transaction, now: int, **changes: Any) -> Transaction:
    return was._replace(**({"updated": now, "last_producer": was.producer} | changes))
