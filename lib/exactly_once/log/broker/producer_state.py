"""A replica's state of each producer: its epoch, its last five batches, and its transaction in this partition.

The leader checks a batch against it before the batch is written; every replica notes the batches in its log, so that
a new leader has the same state as the old one. All of it can be rebuilt from the headers of the batches, and a log
that is opened again does so. Kafka 4.3.1 does not: it begins with a snapshot that holds the last batch of each
producer alone, after a stop in good order and after a crash. See the case "five-retries-after-a-crash".

Sources: KIP-98 (idempotent producers, transactions), KIP-360 and KIP-890 (epochs), and Kafka's ProducerAppendInfo for
the order of the checks.

A topic's sequence rule defines the use of the numbers. "kafka" is Kafka's rule from 2.5 to 4.4: a producer that is
not known may begin with any number. "kafka 2.4" is the one before KIP-360: a producer is forgotten with the last of
its records, and one that is not known has to begin with 0. "kafka 4.5" is the one after KAFKA-15591 (pull request
23234, merged for 4.5): in a partition that never held a record, a producer that is not known has to begin with 0.
"article" is the rule of the article on Lamport clocks and the idempotent producer: one last number per producer and
partition, and only the next one is taken; a duplicate is refused, too, by an error that names the last number. "none"
takes everything.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, Self, TypeAlias, get_args

from ..log_errors import (
    DuplicateSequence,
    InvalidProducerEpoch,
    InvalidTxnState,
    OutOfOrderSequence,
    TransactionCoordinatorFenced,
    UnknownProducerId,
)
from ..storage.records import ABORT, MARKERS, NOBODY, TRANSACTIONAL, Batch

WINDOW = 5  # batches by which a retry is recognised; a client keeps no more in flight
LARGEST_SEQUENCE = 2**31 - 1  # then it goes on with 0
EXPIRY_MS = 86_400_000  # an idle producer is forgotten after a day
SequenceRule: TypeAlias = Literal["kafka", "kafka 2.4", "kafka 4.5", "article", "none"]
SEQUENCE_RULES: tuple[SequenceRule, ...] = get_args(SequenceRule)


class Entry(NamedTuple):
    """One producer in one partition. `window` holds (first sequence, last sequence, base offset), newest last.

    `opened` is the offset at which its transaction began, None when none is open.
    """

    epoch: int = NOBODY
    coordinator: int = NOBODY
    opened: int | None = None
    time: int = 0
    window: tuple = ()


UNKNOWN = Entry()


class Producers:
    """The producers of one replica, and the transactions that ended in it.

    A producer that was idle for longer than `expiry`, in milliseconds, is forgotten (producer.id.expiration.ms).
    """

    def __init__(
        self,
        entries: Mapping[int, Entry] | None = None,
        aborted: Iterable[tuple[int, int, int]] = (),
        ended: Iterable[tuple[int, int]] = (),
        expiry: int = EXPIRY_MS,
    ) -> None:
        self.expiry = expiry
        self.entries = dict(entries or {})
        self.aborted = []  # (producer, first offset, the marker's offset), in the order of the markers
        self.ended = list(ended)  # (first offset, the marker's offset)
        self._opened = {one: entry.opened for one, entry in self.entries.items() if entry.opened is not None}
        self._ranges = {}  # of each producer: (first offsets, markers' offsets) of what was aborted
        for one in aborted:
            self._note_aborted(*one)

    def check(
        self,
        batch: Batch,
        now: int,
        rules: int = 1,
        sequence_rule: SequenceRule = "kafka",
        log_start: int = 0,
        log_end: int = 0,
    ) -> int | None:
        """Tell whether a producer may write this batch here, before the leader writes it.

        Returns the base offset of the batch of which this one is a retry, or None for a new one. `rules=2` asks of a
        marker that its epoch is newer than the data's, and of an unknown producer that it begins with 0 (KIP-890).
        `sequence_rule` is the topic's, `log_start` the first offset that is kept, `log_end` the next one. Raises
        `InvalidProducerEpoch`, `OutOfOrderSequence`, `InvalidTxnState` or `TransactionCoordinatorFenced`; by other
        rules than Kafka's `DuplicateSequence` or `UnknownProducerId`.
        """
        entry = self.entries.get(batch.producer, UNKNOWN)
        if batch.kind in MARKERS:
            _check_marker(entry, batch, rules)
            return None
        if batch.sequence == NOBODY:  # a group's offsets: numbers are for clients' own batches
            _check_epoch_and_state(entry, batch)
            return None
        if sequence_rule == "none":
            return None
        if sequence_rule == "article":
            _check_next(entry, batch)
            return None
        gone = sequence_rule == "kafka 2.4" and entry.window and entry.window[-1][2] < log_start
        if entry.opened is None and (gone or now - entry.time > self.expiry):
            entry = UNKNOWN
        if sequence_rule == "kafka 2.4" and entry.epoch == NOBODY and batch.sequence != 0:
            raise UnknownProducerId(
                f"Nothing is known of producer {batch.producer} here, and its batch has sequence number "
                f"{batch.sequence}: a producer that is not known has to begin with 0."
            )
        last = last_sequence(batch)
        if batch.producer_epoch == entry.epoch:
            for first, until, base in entry.window:
                if (first, until) == (batch.sequence, last):
                    return base
        if rules >= 2 and entry.epoch == NOBODY and batch.sequence != 0:
            raise OutOfOrderSequence(
                f"Nothing is known of producer {batch.producer} here, and its batch has sequence number "
                f"{batch.sequence}: every transaction of protocol 2 begins with 0. Send what is missing first."
            )
        if sequence_rule == "kafka 4.5" and entry.epoch == NOBODY and batch.sequence != 0 and log_end == 0:
            raise OutOfOrderSequence(
                f"Nothing is known of producer {batch.producer} here, its batch has sequence number "
                f"{batch.sequence}, and this partition never held a record: send what is missing before it first."
            )
        if batch.producer_epoch >= entry.epoch:
            _check_sequence(entry, batch)
        _check_epoch_and_state(entry, batch)
        return None

    def note(self, batch: Batch) -> None:
        """Take in a batch that is in this replica's log, in the order of the log."""
        if batch.producer == NOBODY:
            return
        base, count, _, _, time, kind, producer, epoch, sequence = batch[:9]
        known: Any = self.entries.get(producer, UNKNOWN)
        before, coordinator, opened, newest, window = known
        if epoch != before or (opened is None and time - newest > self.expiry):
            window = ()
        if kind in MARKERS:
            coordinator = max(coordinator, batch.coordinator)
            if opened is not None:
                self.ended.append((opened, base))
                if kind == ABORT:
                    self._note_aborted(producer, opened, base)
                del self._opened[producer]
            opened = None
        else:
            if sequence != NOBODY:
                if window and sequence != (window[-1][1] + 1) % (LARGEST_SEQUENCE + 1):
                    window = ()  # it was taken, and is not the next: the leader had forgotten this producer
                last = (sequence + count - 1) % (LARGEST_SEQUENCE + 1)  # as in `last_sequence`
                window = (*window[1 - WINDOW :], (sequence, last, base))
            if kind == TRANSACTIONAL and opened is None:
                opened = self._opened[producer] = base
        fields = epoch, coordinator, opened, time, window
        self.entries[producer] = tuple.__new__(Entry, fields)  # as Entry(*fields) does, in half the time

    def is_aborted(self, batch: Batch) -> bool:
        """Tell whether a batch belongs to a transaction that was aborted."""
        if batch.kind != TRANSACTIONAL:
            return False
        if batch.producer not in self._ranges:
            return False
        firsts, markers = self._ranges[batch.producer]
        place = bisect_right(firsts, batch.base) - 1
        return place >= 0 and batch.base < markers[place]

    def aborted_between(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return (producer, first offset) of each aborted transaction with something between two offsets."""
        place = bisect_left(self.aborted, start, key=lambda one: one[2])
        return [(producer, first) for producer, first, _ in self.aborted[place:] if first < end]

    def forget_ended(self, high_watermark: int) -> None:
        """Forget the transactions whose markers are committed: they hold no reader back."""
        self.ended = [(first, marker) for first, marker in self.ended if marker >= high_watermark]

    def first_unstable(self, high_watermark: int) -> int | None:
        """Return the first offset of the oldest transaction that is open, or whose marker is not committed, or None.

        Below it, every transaction's end is known for good: it bounds what a read_committed reader may see.
        """
        self.forget_ended(high_watermark)
        return min([*self._opened.values(), *[first for first, _ in self.ended]], default=None)

    def dump(self) -> dict[str, Any]:
        """Return all of it as plain data, which `Producers.load` takes."""
        entries = {
            str(producer): [entry.epoch, entry.coordinator, entry.opened, entry.time, list(map(list, entry.window))]
            for producer, entry in sorted(self.entries.items())
        }
        return {
            "entries": entries,
            "aborted": list(map(list, self.aborted)),
            "ended": list(map(list, self.ended)),
        }

    def _note_aborted(self, producer: int, first: int, marker: int) -> None:
        self.aborted.append((producer, first, marker))
        firsts, markers = self._ranges.setdefault(producer, ([], []))
        firsts.append(first)
        markers.append(marker)

    @classmethod
    def load(cls, dump: Mapping[str, Any], expiry: int = EXPIRY_MS) -> Self:
        """Return what a `dump` holds."""
        entries = {
            int(producer): Entry._make([*fields[:4], tuple(map(tuple, fields[4]))])
            for producer, fields in dump["entries"].items()
        }
        return cls(entries, map(tuple, dump["aborted"]), map(tuple, dump["ended"]), expiry)


def last_sequence(batch: Batch) -> int:
    """Return the sequence number of a batch's last record; after the largest comes 0."""
    return (batch.sequence + batch.count - 1) % (LARGEST_SEQUENCE + 1)


def _check_next(entry: Entry, batch: Batch) -> None:
    """The article's rule: only the next number is taken."""
    last = entry.window[-1][1] if entry.window else -1
    if batch.sequence <= last:
        raise DuplicateSequence(
            f"Producer {batch.producer} sent sequence number {batch.sequence}; its numbers up to {last} are here "
            "already. Count this one as sent."
        )
    if batch.sequence > last + 1:
        raise OutOfOrderSequence(
            f"Producer {batch.producer} sent sequence number {batch.sequence}; those up to {last} are here, and "
            f"{last + 1} is the next one. Send what is missing first."
        )


def _check_epoch_and_state(entry: Entry, batch: Batch) -> None:
    if batch.producer_epoch < entry.epoch:
        raise InvalidProducerEpoch(
            f"Producer {batch.producer} writes with epoch {batch.producer_epoch}, and epoch {entry.epoch} was seen "
            "here already: another instance has taken over; stop this one."
        )
    if entry.opened is not None and batch.kind != TRANSACTIONAL:
        raise InvalidTxnState(
            f"Producer {batch.producer} has had a transaction open here since offset {entry.opened}, and this batch "
            "is outside of it; end the transaction first."
        )


def _check_sequence(entry: Entry, batch: Batch) -> None:
    if batch.producer_epoch == entry.epoch:
        wanted = (entry.window[-1][1] + 1) % (LARGEST_SEQUENCE + 1) if entry.window else 0
    else:
        wanted = batch.sequence if entry.epoch == NOBODY else 0
    if batch.sequence != wanted:
        raise OutOfOrderSequence(
            f"Producer {batch.producer} sent sequence number {batch.sequence} in epoch {batch.producer_epoch}; the "
            f"next one here is {wanted}. Send what is missing first; a retry is recognised for {WINDOW} batches."
        )


def _check_marker(entry: Entry, batch: Batch, rules: int) -> None:
    repeated = batch.producer_epoch == entry.epoch and entry.opened is None
    if batch.producer_epoch < entry.epoch or (rules >= 2 and batch.producer_epoch == entry.epoch and not repeated):
        raise InvalidProducerEpoch(
            f"A marker for producer {batch.producer} carries epoch {batch.producer_epoch}, and epoch {entry.epoch} "
            "was seen here already: it ends no transaction of that epoch."
        )
    if batch.coordinator < entry.coordinator:
        raise TransactionCoordinatorFenced(
            f"A marker for producer {batch.producer} comes from coordinator epoch {batch.coordinator}, and epoch "
            f"{entry.coordinator} was seen here already: that coordinator was replaced."
        )
