"""The statements of chapter 03 on Kafka, each with its evidence: tests (file::name), or links of the chapter."""

BROKERS, CLIENTS, NUMBERS = "log/test_brokers.py", "log/test_clients.py", "delivery/test_numbering.py"
LIBRDKAFKA = "https://github.com/confluentinc/librdkafka/blob/v2.15.0/CONFIGURATION.md"
ERRORS = "https://kafka.apache.org/43/javadoc/org/apache/kafka/common/errors"
PRODUCER = "https://kafka.apache.org/43/configuration/producer-configs/#producerconfigs_"
CONSUMER = "https://kafka.apache.org/43/configuration/consumer-configs/#consumerconfigs_"
TOPIC = "https://kafka.apache.org/43/configuration/topic-configs/#topicconfigs_"

CLAIMS = {
    "03-delivery-semantics": {
        "A producer hears an acknowledgement of its batch: from all in-sync replicas": [
            f"{BROKERS}::test_a_record_is_on_all_replicas_and_committed_when_acks_all_returns",
            f"{BROKERS}::test_acks_1_loses_what_only_the_leader_had",
        ],
        "A consumer group has *positions*, and no acknowledgements of single messages": [
            f"{CLIENTS}::test_a_consumer_reads_on_from_what_its_group_committed"
        ],
        "By default the client commits in the background": [f"{CONSUMER}enable.auto.commit"],
        "librdkafka, and so its Python client, has the same three defaults": [LIBRDKAFKA],
        "is at-least-once only if the acknowledgement it waits for means that the record is committed": [
            f"{BROKERS}::test_acks_1_loses_what_only_the_leader_had"
        ],
        "*Retriable* means that the request may succeed when it is sent again": [
            f"{ERRORS}/NotEnoughReplicasAfterAppendException.html"
        ],
        "After `NotEnoughReplicas` nothing was appended": [
            f"{BROKERS}::test_below_the_minimum_acks_all_is_refused_and_acks_1_stays_invisible"
        ],
        "the record is in the leader's log": [
            f"{BROKERS}::test_a_follower_that_does_not_fetch_leaves_those_in_sync_while_acks_all_waits"
        ],
        "The Java client retries by itself until `delivery.timeout.ms`": [
            f"{PRODUCER}delivery.timeout.ms",
            LIBRDKAFKA,
        ],
        "The Java producer does not ask": [f"{PRODUCER}enable.idempotence"],
        "the broker recognises a repeated batch, be it late or a duplicate": [f"{NUMBERS}::test_numbers_hold"],
        "a record that the application sends again is a new record": [
            f"{NUMBERS}::test_a_record_that_the_application_sends_again_is_a_new_one"
        ],
        "In librdkafka `enable.idempotence` is": [LIBRDKAFKA],
        "KIP-890, in 3.6 and 4.0, protects transactions against them": [
            "https://cwiki.apache.org/confluence/display/KAFKA/KIP-890"
        ],
        "keeps, in the end, the newest record of each key": [
            "log/test_retention.py::test_compaction_keeps_the_newest_record_of_each_key_at_its_offset"
        ],
        "the active segment is never compacted": ["https://kafka.apache.org/39/documentation.html#compaction"],
        "counts as failed, and its partitions go to another member of the group": [f"{CONSUMER}max.poll.interval.ms"],
        "One `poll` returns up to this many records": [f"{CONSUMER}max.poll.records"],
    },
}

# Settings of the boxes: default and since. Defaults are those of Kafka 4.3.1, read in its sources; since which
# version was read in the sources of the releases.
SETTINGS = {
    "acks": ("all", "3.0.0 (1 before)"),
    "enable.auto.commit": ("true", "as of 4.3.1"),
    "auto.commit.interval.ms": ("5000", "as of 4.3.1"),
    "retries": ("2147483647", "2.1.0 (0 in 2.0)"),
    "request.timeout.ms": ("30000", "0.9.0"),
    "delivery.timeout.ms": ("120000", "2.1.0"),
    "min.insync.replicas": ("1", "0.8.2"),
    "enable.idempotence": ("true", "3.0.1, 3.1.1 and 3.2.0; off in 3.0.0 and 3.1.0"),
    "min.cleanable.dirty.ratio": ("0.5", "0.8.2"),
    "min.compaction.lag.ms": ("0", "0.10.1"),
    "max.poll.interval.ms": ("300000", "0.10.1"),
    "session.timeout.ms": ("45000", "3.0.0 (10000 before)"),
    "max.poll.records": ("500", "0.10.1"),
}
# The card's columns: Java and librdkafka 2.15.0, whose values stand in its CONFIGURATION.md.
CARD = {
    "acks": ("all (since 3.0.0)", "all (since 1.0.0)"),
    "enable.idempotence": ("true (since 3.0.1, 3.1.1, 3.2.0)", "false"),
    "enable.auto.commit": ("true", "true"),
    "max.poll.interval.ms": ("300000", "300000"),
    "max.poll.records": ("500", "–"),
}

REMOVED = {  # what no notebook says any more, and why
    r"no third thing": "a leader's death can lose a record that was acknowledged with acks=1",
    r"[Nn]o further message helps": "asking helps against lost messages",
    r"[Nn]o cleverness in the": "asking helps against lost messages",
    r"broker that dies is one of the two": "it has a third face",
    r"[Ww]ith messages that can get lost, two parties cannot become certain of an agreement\. That is": (
        "finitely many messages; and it is about agreement, not delivery"
    ),
    r"acknowledges? (each|every|single) (message|record)s? to Kafka": "consumer groups have positions",
}
