"""Producers that send in bursts: without numbers, with the article's, and with Kafka's.

Each sends the numbers from 1 on to the partition "readings", a batch for each, and keeps up to `in_flight` requests
on their way before it hears an acknowledgement. A producer sends a request again if it got no answer, or if it was
refused because an earlier one is missing. Sources: the article on Lamport clocks and the idempotent producer; KIP-98,
and Sender and TransactionManager of Kafka's Java client, 4.3.1, for the rules of sending again.
"""

import contextlib
from collections import deque

from ...errors import OutcomeUnknown
from ...log.log_errors import (
    DuplicateSequence,
    LogError,
    NotEnoughReplicas,
    NotEnoughReplicasAfterAppend,
    OffsetOutOfRange,
    OutOfOrderSequence,
)
from ...node import Partition
from ...node.access import IN_FLIGHT
from .both_sides import insist

READINGS = "readings"
PATIENCE = 3  # refusals of a batch that is sent alone, until Java's client gives it up


def readings(rule="kafka", **settings):
    """Return the partition that the producers here write to, with a sequence rule."""
    return Partition(READINGS, sequence_rule=rule, **settings)


def burst(records=4, in_flight=IN_FLIGHT):
    """Return a producer without numbers: it repeats an unanswered request after all requests on their way."""

    def naive(node):
        unsent, flying = deque(range(1, records + 1)), deque()
        while unsent or flying:
            if unsent and len(flying) < in_flight:
                flying.append(unsent.popleft())
                node.log.send(READINGS, [flying[-1]], in_flight=in_flight)
            else:
                record = flying.popleft()
                try:
                    node.log.acknowledgement()
                except OutcomeUnknown:
                    unsent.appendleft(record)

    return naive


def numbered_burst(records=4, in_flight=IN_FLIGHT, first_alone=True, one_connection=False, fire_and_forget=False):
    """Return a producer with numbers, for the article's rule and for Kafka's.

    A request without an answer, or refused with an error that may pass, keeps its number. It is sent again in order,
    one at a time, once the answers to all others are in: so do Kafka's clients. They differ when a batch is sent
    alone and its number is refused (`OutOfOrderSequence`): librdkafka gives up with that error, and this producer
    follows the rules of Java's client (`JavaSequences`). A batch that it gives up is told at the end as
    `TimeoutError`, as Java's client fails a future with TimeoutException. With `fire_and_forget` the application does
    not look at it.

    With `first_alone` nothing else is sent until the first batch is acknowledged: a broker that knows nothing of a
    producer takes any first number (Kafka 2.5 to 4.4), and would refuse number 0 behind number 1. Java's client does
    not wait. With `one_connection` a missing answer means that the connection is lost, and the answers to all that
    was sent behind it on the same connection are lost with it.
    """

    def numbered(node):
        identity, numbers = insist(node.log.producer_id, READINGS), JavaSequences()
        most = 1 if first_alone else in_flight
        unsent, flying, again = deque(range(1, records + 1)), deque(), deque()
        while unsent or flying or again:
            if (again and not flying) or (unsent and not again and len(flying) < most):
                alone = bool(again)
                batch = again.popleft() if alone else numbers.numbered(unsent.popleft())
                flying.append(batch)
                node.log.send(READINGS, [batch.record], "all", identity, numbers.epoch, batch.number, in_flight)
                continue
            batch = flying.popleft()
            try:
                node.log.acknowledgement()
            except DuplicateSequence:
                pass  # it is there: the article's way to say so
            except OutOfOrderSequence:
                if alone:
                    again = numbers.refused(batch, again)
                else:
                    again.append(batch)
                continue
            except (OutcomeUnknown, NotEnoughReplicas, NotEnoughReplicasAfterAppend) as why:
                again.insert(0 if alone else len(again), batch)
                if one_connection and isinstance(why, OutcomeUnknown):
                    again.extend(_unheard(node, flying))
                continue
            numbers.acknowledged(batch)
            most = in_flight
        if numbers.expired and not fire_and_forget:
            raise TimeoutError(
                f"Record {numbers.expired[0]} was not acknowledged within delivery.timeout.ms; whether it is in the "
                "log, the client cannot tell."
            )

    return numbered


def _unheard(node, flying):
    """Return the batches that were in flight on a connection that is lost: their answers do not come through."""
    while flying:
        with contextlib.suppress(OutcomeUnknown, LogError):
            node.log.acknowledgement()
        yield flying.popleft()


class NumberedBatch:
    """A batch that has a number: its `record`, the number, whether that was rewritten, and how often it was refused
    when it was sent alone.
    """

    def __init__(self, record, number):
        self.record, self.number, self.rewritten, self.refusals = record, number, False, 0


class JavaSequences:
    """The numbers of one partition, as Java's client of 4.3.1 keeps them for an idempotent producer.

    What it does with a refused number: `TransactionManager.canRetry`. The epoch is bumped only if the batch is the
    next one after the last that was acknowledged, or the next after one that expired; then all batches in flight are
    numbered anew from 0 (`bumpIdempotentProducerEpoch`, `TxnPartitionEntry.startSequencesAtBeginning`). Every other
    batch is sent again under its number until it expires. What comes next goes on in the same epoch if the batches
    behind were acknowledged, and otherwise begins the next one (`maybeResolveSequences`). Here a batch expires after
    `PATIENCE` refusals, in place of delivery.timeout.ms: a handler has no clock.
    """

    def __init__(self):
        self.epoch, self.next, self.last, self.behind_expired = 0, 0, -1, None
        self.expired = []  # records

    def numbered(self, record):
        """Return a record as a batch with the next number. After a batch expired, nothing else may be in flight."""
        if self.behind_expired is not None and self.next != self.last + 1:
            self.bump([])
        self.behind_expired = None
        self.next += 1
        return NumberedBatch(record, self.next - 1)

    def acknowledged(self, batch):
        """Note that a batch is in the log."""
        self.last = max(self.last, batch.number)

    def refused(self, batch, others):
        """Return the batches to send again, in order, after a batch that was sent alone was out of order."""
        waiting = deque([batch, *others])
        if self.behind_expired is None:
            bumps = batch.number == self.last + 1 and not batch.rewritten
        else:
            bumps = batch.number == self.behind_expired
        if bumps:
            self.bump(waiting)
            return waiting
        batch.refusals += 1
        if batch.refusals < PATIENCE:
            return waiting
        waiting.popleft()
        self.expired.append(batch.record)
        self.behind_expired = max(self.behind_expired or 0, batch.number + 1)
        return waiting

    def bump(self, batches):
        """Begin the next epoch, and number these batches, which are all batches in flight, from 0 on."""
        self.epoch, self.next, self.last, self.behind_expired = self.epoch + 1, len(batches), -1, None
        for number, batch in enumerate(batches):
            batch.number, batch.rewritten = number, True


def numbering(keeps_id=True):
    """Return a producer that sends one record at a time under its place in the inputs, until it is acknowledged.

    What it has sent survives its death, as in `producer_that_retries`, and so does its producer id with `keeps_id`:
    the next incarnation sends the same record under the same number, and the broker recognises it. Without it each
    incarnation asks for an id of its own, as Kafka's producers without a transactional id do, and no broker knows the
    two for one.
    """

    def producer(node):
        identity = kept_id(node) if keeps_id else insist(node.log.producer_id, READINGS)
        positions = insist(node.positions.load)
        first = 0 if keeps_id else positions["numbers"]
        while node.running(positions):
            items, next_positions = insist(node.read, positions)
            record, sequence = (items[0].key, items[0].value), positions["numbers"] - first
            with contextlib.suppress(DuplicateSequence):
                insist(node.log.append, READINGS, [record], "all", identity, 0, sequence)
            insist(node.positions.save, next_positions)
            positions = next_positions

    return producer


def kept_id(node):
    """Return this producer's id, the same in every incarnation: asked for once, and kept in a register."""
    while True:
        version, identity = insist(node.registers.read, "producer id")
        if version:
            return identity
        insist(node.registers.cas, "producer id", 0, insist(node.log.producer_id, READINGS))


def operator(*orders):
    """Return a program's handler that gives a partition's brokers orders, such as ("restart", 0), each a step."""

    def operates(node):
        for what, broker in orders:
            node.log.broker(READINGS, what, broker)

    return operates


def deleting(before):
    """Return a program's handler that deletes the records before an offset, at some moment, as retention does."""

    def retention(node):
        with contextlib.suppress(OffsetOutOfRange):  # they are not there yet
            node.log.broker(READINGS, "delete_records", before)

    return retention
