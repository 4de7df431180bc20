"""The refusals of a broker, with Kafka's own name for each: the one table between the course and Kafka."""

import re
from typing import Any

from ..errors import CourseError, OutcomeUnknown


class LogError(CourseError):
    """A broker refused a request; `kafka` is Kafka's name for it (org.apache.kafka.common.protocol.Errors).

    It is the name of the class in Kafka's spelling, where a class does not give another one. After a `fatal` one the
    client's process can only end, and its supervisor starts another.
    """

    kafka = "UNKNOWN_SERVER_ERROR"
    fatal = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "kafka" not in vars(cls):
            cls.kafka = re.sub("(?<=[a-z])(?=[A-Z])", "_", cls.__name__).upper()


class UnknownTopicOrPartition(LogError, ValueError):
    """No such topic, or no such partition of it."""


class TopicExists(LogError, ValueError):
    """A topic of this name was created before."""

    kafka = "TOPIC_ALREADY_EXISTS"


class OffsetOutOfRange(LogError, ValueError):
    """An offset before the log start or beyond the log end."""


class RecordTooLarge(LogError, ValueError):
    """A record with more bytes than its topic takes."""

    kafka = "MESSAGE_TOO_LARGE"


class NotLeader(LogError):
    """The broker that was asked does not lead the partition."""

    kafka = "NOT_LEADER_OR_FOLLOWER"


class LeaderNotAvailable(LogError):
    """No broker leads the partition now."""


class NotEnoughReplicas(LogError):
    """Too few replicas are in sync for acks=all; nothing was written."""


class NotEnoughReplicasAfterAppend(LogError):
    """Too few replicas stayed in sync: the batch is in the leader's log, and not committed."""


class FencedLeaderEpoch(LogError):
    """The request names an older leader epoch than the broker knows."""


class OutOfOrderSequence(LogError):
    """A sequence number that is not the producer's next one."""

    kafka = "OUT_OF_ORDER_SEQUENCE_NUMBER"


class DuplicateSequence(LogError):
    """The article's rule: a number that was taken before; the message names the last one."""

    kafka = "DUPLICATE_SEQUENCE_NUMBER"  # of the protocol; no broker raises it since 1.1.0


class UnknownProducerId(LogError):
    """A broker before 2.5 knows nothing of the producer, whose number is not the first."""


class InvalidProducerEpoch(LogError):
    """A producer epoch older than the partition knows: a zombie."""

    fatal = True  # as Kafka's category says, ApplicationRecoverable; its Java client can still abort


class InvalidTxnState(LogError):
    """A write that does not fit the producer's transaction."""


class ProducerFenced(LogError):
    """The epoch is not the newest of its transactional id: a newer producer began, or the coordinator aborted this
    one's transaction at its time limit, and nobody else is there.
    """

    fatal = True


class InvalidPidMapping(LogError):
    """The producer id does not belong to the transactional id."""

    kafka = "INVALID_PRODUCER_ID_MAPPING"


class ConcurrentTransactions(LogError):
    """The last transaction's markers are being written; the same request will do in a moment."""


class InvalidTransactionTimeout(LogError, ValueError):
    """A transaction timeout of nothing, or beyond the coordinator's maximum."""


class TransactionalIdNotFound(LogError, ValueError):
    """The coordinator knows nothing of a transactional id."""


class NotCoordinator(LogError):
    """Another process has become the coordinator; ask that one."""

    fatal = True  # to the coordinator that is told so: it steps down


class UnstableOffsetCommit(LogError):
    """An offset is in a transaction that is open; wait for its end."""


class IllegalGeneration(LogError):
    """The consumer group has moved on to a newer generation: this member's partitions may be another's by now."""


class UnknownMemberId(LogError):
    """The consumer group has no such member."""


class TransactionCoordinatorFenced(LogError):
    """A marker from a coordinator that was replaced."""

    fatal = True  # to that coordinator: it steps down


class CorruptLog(LogError):
    """A file or a batch was altered after it was written."""

    kafka = "CORRUPT_MESSAGE"


class InvalidRecord(LogError, ValueError):
    """A record that its topic does not take."""


class TimedOut(LogError, OutcomeUnknown):
    """A client asked for as long as it was to (Kafka's max.block.ms), and got no answer."""

    kafka = "REQUEST_TIMED_OUT"


class IllegalState(LogError):
    """A call that does not fit the state of a transactional producer: its own client says so, no broker."""

    kafka = "IllegalStateException"


# What a client asks again after: Kafka's category Retriable (KIP-1050).
RETRIABLE = (LeaderNotAvailable, NotEnoughReplicas, NotEnoughReplicasAfterAppend, OutcomeUnknown)
