"""Producers that send in bursts: without numbers, with the article's, and with Kafka's.

Each sends the numbers from 1 on to the partition "readings", a batch for each, and keeps up to `in_flight` requests
on their way before it hears an acknowledgement. What goes wrong is sent again: a request without an answer, and one
that was refused because one before it is missing. Sources: the article on Lamport clocks and the idempotent producer;
KIP-98, and Kafka's Sender and TransactionManager for what is sent again, and when.
"""

import contextlib
from collections import deque

from ...errors import OutcomeUnknown
from ...log.errors import DuplicateSequence, OffsetOutOfRange, OutOfOrderSequence
from ...node import Partition
from .producer import insist

READINGS = "readings"
IN_FLIGHT = 5  # Kafka's max.in.flight.requests.per.connection
RULES = {"naive": "none", "article": "article", "kafka": "kafka"}


def readings(rule="kafka", **settings):
    """Return the partition that the producers here write to, with a sequence rule."""
    return Partition(READINGS, sequence_rule=rule, **settings)


def burst(records=4, in_flight=IN_FLIGHT):
    """Return a producer without numbers: what gets no answer is sent again, behind all that is on its way."""

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


def numbered_burst(records=4, in_flight=IN_FLIGHT, bump=False, first_alone=True):
    """Return a producer with numbers, for the article's rule and for Kafka's.

    What gets no answer, or is refused because something before it is missing, keeps its number and is sent again in
    order, one at a time, once the answers to all others are in: so does Kafka's client. A first one in line that is
    refused although nothing before it is missing was forgotten by the broker: librdkafka gives up then, with
    `OutOfOrderSequence`; the Java client, here with `bump`, begins a new epoch with number 0 and sends it once more.

    With `first_alone` nothing else is sent until the first batch is acknowledged: a broker that knows nothing of a
    producer takes whatever number comes first (since Kafka 2.5), and would refuse number 0 behind number 1.
    """

    def numbered(node):
        identity, epoch, first = insist(node.log.producer_id, READINGS), 0, 1
        most = 1 if first_alone else in_flight
        unsent, flying, again = deque(range(1, records + 1)), deque(), deque()
        while unsent or flying or again:
            if (again and not flying) or (unsent and not again and len(flying) < most):
                alone = bool(again)
                flying.append((again or unsent).popleft())
                sequence = flying[-1] - first
                node.log.send(READINGS, [flying[-1]], "all", identity, epoch, sequence, in_flight)
                continue
            record = flying.popleft()
            try:
                node.log.acknowledgement()
                most = in_flight
            except DuplicateSequence:
                most = in_flight  # it is there: the article's way to say so
            except OutcomeUnknown:
                again.insert(0 if alone else len(again), record)
            except OutOfOrderSequence:
                if alone and not bump:
                    raise
                if alone:
                    epoch, first = epoch + 1, record
                again.insert(0 if alone else len(again), record)

    return numbered


def numbering(keeps_id=True):
    """Return a producer that sends one record at a time under its place in the inputs, until it is acknowledged.

    What it has sent survives its death, as in `producer_that_retries`, and so does its producer id with `keeps_id`:
    the next life sends the same record under the same number, and the broker recognises it. Without it each life asks
    for an id of its own, as Kafka's producers without a transactional id do, and no broker knows the two for one.
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
    """Return this producer's id, the same in every life: asked for once, and kept in a register."""
    while True:
        version, identity = insist(node.registers.read, "producer id")
        if version:
            return identity
        insist(node.registers.cas, "producer id", 0, insist(node.log.producer_id, READINGS))


def deleting(before):
    """Return a program's handler that deletes the records before an offset, at some moment, as retention does."""

    def retention(node):
        with contextlib.suppress(OffsetOutOfRange):  # they are not there yet
            node.log.broker(READINGS, "delete_records", before)

    return retention
