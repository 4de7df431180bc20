"""The transaction coordinator: `rules`, applied to the stored state of each transactional id.

It keeps nothing itself. `kept` is a mapping {transactional id: `Transaction`} in which each assignment is one durable
append to the coordinator's log: so a coordinator that is made anew from it goes on where the last one stopped. A
dictionary with `new_producer_id` will do.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from ...errors import BadInput, one_of, whole
from ...stores.interface import again_after
from ..broker.replica import Moved
from ..log_errors import (
    ConcurrentTransactions,
    InvalidPidMapping,
    InvalidProducerEpoch,
    InvalidTransactionTimeout,
    InvalidTxnState,
    NotCoordinator,
    TransactionalIdNotFound,
)
from ..storage.records import ABORT, COMMIT
from . import rules

MAX_TIMEOUT_MS = 900_000  # transaction.max.timeout.ms
EXPIRATION_MS = 604_800_000  # transactional.id.expiration.ms
TIMEOUT_MS = 60_000  # transaction.timeout.ms, the producer's
MarkerRule: TypeAlias = Literal["kafka", "kafka 4.1"]
MARKER_RULES: tuple[MarkerRule, ...] = get_args(MarkerRule)
_deciding = again_after(Moved)  # decides again when another process wrote to the coordinator's log in between


class Due(NamedTuple):
    """Markers that are to be written: `result` ("commit" or "abort") in each of `partitions`.

    `producer` and `epoch` are the markers', `coordinator` is the epoch of the coordinator that writes them, `rules`
    the protocol by which a partition's leader checks them: 1 where the leader does not hear of the transaction's own.
    """

    transactional_id: str
    producer: int
    epoch: int
    result: str
    partitions: tuple[str, ...]
    coordinator: int
    rules: int

    @property
    def marker(self) -> tuple[int, int, str, int, int]:
        """What `write_marker` takes of it."""
        return self.producer, self.epoch, self.result, self.coordinator, self.rules


class Coordinator:
    """Decides the fate of transactions. Each request makes at most one durable change, before it is answered.

    `clock()` tells the time in milliseconds, `protocol` is 1 (classic) or 2 (KIP-890), `max_timeout_ms` Kafka's
    transaction.max.timeout.ms, `expiration_ms` its transactional.id.expiration.ms. `epoch` is the coordinator's own;
    a coordinator that takes over has a higher epoch, and partitions then refuse the markers of earlier coordinators.

    `marker_rule` is how the partitions' leaders check the marker of a transaction of protocol 2. "kafka" is the rule
    since 4.2 (KIP-1228): the coordinator tells them the protocol, and the marker's epoch has to be greater than that
    of the open records. "kafka 4.1" is the rule of 4.0 and 4.1, whose leaders do not hear of the protocol: an equal
    epoch will do.
    """

    def __init__(
        self,
        kept: Any,
        clock: Callable[[], int],
        protocol: Any = 2,
        max_timeout_ms: int = MAX_TIMEOUT_MS,
        expiration_ms: int = EXPIRATION_MS,
        epoch: int | None = None,
        marker_rule: MarkerRule = "kafka",
    ) -> None:
        self.kept, self.clock = kept, clock
        self.marker_rule = one_of("marker_rule", marker_rule, MARKER_RULES)
        self.protocol = one_of("The transaction protocol", protocol, (1, 2))
        self.max_timeout_ms = whole("max_timeout_ms", max_timeout_ms, least=1)
        self.expiration_ms = whole("expiration_ms", expiration_ms, least=1)
        self._epoch = epoch

    @property
    def epoch(self) -> int:
        """The coordinator's own epoch, which its markers carry."""
        return getattr(self.kept, "epoch", 0) if self._epoch is None else self._epoch

    @_deciding
    def init_producer(
        self, transactional_id: str, timeout_ms: int = TIMEOUT_MS, producer: int | None = None,
        epoch: int | None = None,
    ) -> tuple[int, int]:  # fmt: skip
        """Begin an incarnation of a producer. Returns (producer id, epoch), with which all before it are fenced.

        With `producer` and `epoch`, a producer asks to go on after an error (KIP-360). An open transaction is decided
        to abort first, and markers may be pending: then the answer is `ConcurrentTransactions`; ask again. Raises
        `InvalidTransactionTimeout`, `ProducerFenced` too.
        """
        name = _named(transactional_id)
        if (producer is None) != (epoch is None):
            raise BadInput(f"The producer is {producer!r} and its epoch {epoch!r}; give both or neither.")
        whole("timeout_ms", timeout_ms, least=-(2**31))
        if not 0 < timeout_ms <= self.max_timeout_ms:
            raise InvalidTransactionTimeout(
                f"The transaction timeout is {timeout_ms} ms; this coordinator takes 1 to {self.max_timeout_ms}."
            )
        was = self.kept.get(name) or rules.Transaction(name, self.kept.new_producer_id())
        rules.refuse_decided(was)
        if was.state == rules.ONGOING:
            if producer is not None:
                rules.check_renewal(was, producer, epoch)
            self._put(was, rules.fenced(self.clock(), self.protocol, was))
            raise ConcurrentTransactions(
                f"The last instance of {name!r} left a transaction open; it is being aborted. Ask again in a moment."
            )
        now = rules.initialized(self.clock(), timeout_ms, self.kept.new_producer_id, was, producer, epoch)
        self._put(was, now)
        return now.producer, now.epoch

    @_deciding
    def add_partitions(self, transactional_id: str, producer: int, epoch: int, partitions: Sequence[str]) -> None:
        """Add partitions, by names such as "output-0", to the producer's transaction; the first ones begin it.

        Raises `InvalidPidMapping`, `ProducerFenced`, `ConcurrentTransactions`; in a log, too,
        `UnknownTopicOrPartition`.
        """
        if isinstance(partitions, str) or not partitions or not all(isinstance(one, str) for one in partitions):
            raise BadInput(f"The partitions to add are {partitions!r}; give a list of names such as 'output-0'.")
        check: Any = getattr(self.kept, "check_partition", None)
        for name in partitions if check else ():
            check(name)
        was = self._of(transactional_id)
        self._put(was, rules.with_partitions(self.clock(), self.protocol, was, producer, epoch, partitions))

    @_deciding
    def end(self, transactional_id: str, producer: int, epoch: int, result: str) -> tuple[int, int]:
        """Decide to "commit" or to "abort". Returns (producer id, epoch) with which the producer goes on.

        When this returns, the decision is durable; the markers are written after it. Raises `InvalidPidMapping`,
        `ProducerFenced`, `ConcurrentTransactions` while the markers are written, and `InvalidTxnState` when there is
        nothing to end, or it ended the other way.
        """
        one_of("The result", result, (COMMIT, ABORT))
        was = self._of(transactional_id)
        now = rules.ended(self.clock(), self.protocol, self.kept.new_producer_id, was, producer, epoch, result)
        self._put(was, now)
        return rules.owner_after(now)

    def describe(self, transactional_id: str) -> rules.Transaction:
        """Return the `Transaction` of a transactional id. Raises `TransactionalIdNotFound`."""
        found = self.kept.get(_named(transactional_id))
        if found is None:
            raise TransactionalIdNotFound(
                f"Nothing is known of the transactional id {transactional_id!r}; init_producer makes it known."
            )
        return found

    def owner(self, producer: int) -> str | None:
        """Return the transactional id that a producer id has, or had last; None for a producer without."""
        find = getattr(self.kept, "owner", None)
        if find is not None:
            return find(producer)
        ids = [one.transactional_id for one in self.kept.values() if producer in (one.producer, one.last_producer)]
        return ids[0] if ids else None

    def owned(self, producer: int) -> str:
        """Return the transactional id that a producer id has, or had last. Raises `InvalidPidMapping`."""
        name = self.owner(producer)
        if name is None:
            raise InvalidPidMapping(f"Producer {producer} has no transactional id, or not any more; initialise it.")
        return name

    def verify(self, producer: int, epoch: int, partition: str) -> None:
        """Check, for a partition's leader, that it is in the producer's open transaction (KIP-890, part 1).

        Raises `InvalidTxnState` if it is not, `InvalidProducerEpoch` for a zombie, `InvalidPidMapping`, and
        `ConcurrentTransactions` while the markers of the last transaction are written.
        """
        name = self.owned(producer)
        was = self._of(name)
        if producer != was.producer:
            raise InvalidPidMapping(f"Producer {producer} does not have the transactional id {name!r} any more.")
        if epoch != was.epoch:
            raise InvalidProducerEpoch(
                f"Producer {producer} writes with epoch {epoch}, and its transactional id {name!r} is in epoch "
                f"{was.epoch}: a newer instance began, its transaction ended, or it timed out."
            )
        rules.refuse_decided(was)
        if was.state != rules.ONGOING or partition not in was.partitions:
            raise InvalidTxnState(
                f"{partition} is not in an open transaction of {name!r} ({was.state}): add the partition first. If "
                "this was sent before the transaction ended, it came too late."
            )

    def due(self, transactional_id: str | None = None) -> list[Due]:
        """Return a `Due` for each transaction that is decided and not complete, or for this one alone."""
        found = self.kept.values() if transactional_id is None else filter(None, [self.kept.get(transactional_id)])
        return [
            Due(one.transactional_id, one.producer, one.epoch, rules.RESULTS[one.state], one.partitions, self.epoch,
                one.protocol if self.marker_rule == "kafka" else 1)
            for one in sorted(found)
            if one.state in rules.RESULTS
        ]  # fmt: skip

    @_deciding
    def complete(self, transactional_id: str, producer: int, epoch: int, coordinator: int | None = None) -> None:
        """Note that all markers of a `Due` are written. Of one that is complete already, nothing.

        `coordinator` is the epoch of the coordinator that wrote them. Raises `NotCoordinator` when that one was
        replaced: the new one writes them again.
        """
        if coordinator is not None and coordinator < self.epoch:
            raise NotCoordinator(
                f"The coordinator of epoch {coordinator} was replaced by that of epoch {self.epoch}, which writes "
                f"the markers of {transactional_id!r} itself."
            )
        was = self._of(transactional_id)
        if was.state in rules.RESULTS and (was.producer, was.epoch) == (producer, epoch):
            self._put(was, rules.completed(self.clock(), was))

    @_deciding
    def time_out(self) -> list[str]:
        """Decide to abort each transaction that is open for longer than its timeout. Returns their ids."""
        now = self.clock()
        found = [one for one in sorted(self.kept.values()) if rules.timed_out(now, one)]
        for was in found:
            self._put(was, rules.fenced(now, self.protocol, was))
        return [was.transactional_id for was in found]

    @_deciding
    def expire(self) -> list[str]:
        """Forget each transactional id that was not used for `expiration_ms`. Returns them."""
        now = self.clock()
        found = [one.transactional_id for one in self.kept.values() if rules.expired(now, self.expiration_ms, one)]
        for name in sorted(found):
            del self.kept[name]
        return sorted(found)

    def recover(self) -> None:
        """Take over from a coordinator that may live on somewhere: its markers are refused from now on.

        What it decided is in `kept`, so nothing else is to be done; `due` says which markers are to be written.
        """
        if self._epoch is None:
            self.kept.take_over()
        else:
            self._epoch += 1

    def _of(self, transactional_id: str) -> rules.Transaction:
        found = self.kept.get(_named(transactional_id))
        if found is None:
            raise InvalidPidMapping(
                f"No producer has the transactional id {transactional_id!r}: it was never initialised, or not used "
                "for so long that it was forgotten. Initialise the producer."
            )
        return found

    def _put(self, was: rules.Transaction, now: rules.Transaction) -> None:
        if now is not was:
            self.kept[now.transactional_id] = now


def _named(transactional_id: str) -> str:
    if not isinstance(transactional_id, str) or not transactional_id:
        raise BadInput(f"The transactional id is {transactional_id!r}; give it a name.")
    return transactional_id
