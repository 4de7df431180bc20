"""What chapter 06 says of Kafka, each with what it rests on: tests (file::name), or links of the chapter."""

COORDINATOR = "log/transactions/test_coordinator.py"
OFFSETS, VERIFIED = "log/transactions/test_offsets.py", "log/transactions/test_verification.py"
KIPS = "https://cwiki.apache.org/confluence/display/KAFKA"
KIP_98 = f"{KIPS}/KIP-98+-+Exactly+Once+Delivery+and+Transactional+Messaging"
KIP_447 = f"{KIPS}/KIP-447%3A+Producer+scalability+for+exactly+once+semantics"
KIP_890 = f"{KIPS}/KIP-890%3A+Transactions+Server-Side+Defense"
LIBRDKAFKA = "https://github.com/confluentinc/librdkafka/blob/v2.15.0"
DESIGN = "https://kafka.apache.org/43/design/design/#message-delivery-semantics"
PRODUCER = "https://kafka.apache.org/43/javadoc/org/apache/kafka/clients/producer/KafkaProducer.html"
VERSIONS = "https://kafka.apache.org/43/operations/transaction-protocol/"

CLAIMS = {
    "06-transactions": {
        "The protocol is Kafka's, after article 2": [
            KIP_98,
            f"{COORDINATOR}::test_a_transaction_goes_through_its_states",
        ],
        "where Kafka, too, keeps the *offsets* that groups have committed": [
            "log/test_clients.py::test_a_consumer_reads_on_from_what_its_group_committed"
        ],
        "`__transaction_state` has 50 partitions": [
            "https://kafka.apache.org/43/configuration/broker-configs/"
            "#brokerconfigs_transaction.state.log.replication.factor"
        ],
        "librdkafka reads committed records by default, since v1.2.0": [f"{LIBRDKAFKA}/CONFIGURATION.md"],
        "Neither ever gets a marker, though each marker takes an offset": [
            "log/test_clients.py::test_a_read_committed_consumer_passes_aborted_records"
        ],
        "The time runs from the first partition added": [
            f"{COORDINATOR}::test_a_transaction_is_aborted_after_its_timeout_and_not_at_it"
        ],
        "A zombie's append gets INVALID_PRODUCER_EPOCH": [
            f"{COORDINATOR}::test_a_new_life_aborts_what_is_open_and_fences_the_old_one"
        ],
        "The coordinator answers PRODUCER_FENCED": [
            f"{COORDINATOR}::test_a_new_life_aborts_what_is_open_and_fences_the_old_one",
            f"{LIBRDKAFKA}/INTRODUCTION.md",
        ],
        "KIP-447, in 2.5.0, brought the generation": [
            KIP_447,
            f"{OFFSETS}::test_a_group_that_has_moved_on_refuses_the_older_generation",
        ],
        "is told UNSTABLE_OFFSET_COMMIT while some are pending": [KIP_447],
        "After an abort the consumer's position is not rewound": [DESIGN],
        "Of the errors of `send`, by the code of 4.3.1": [PRODUCER],
        "Everything so far is the protocol of KIP-890": [
            KIP_890,
            f"{COORDINATOR}::test_a_transaction_goes_through_its_states",
        ],
        "Under KIP-890 the epoch is old by then": [
            KIP_890,
            f"{VERIFIED}::test_what_comes_after_the_marker_hangs_only_where_nobody_asks",
        ],
        "Now read KIP-890": [KIP_890],
        "Part 1 of KIP-890, in 3.6.0": [KIP_890],
        "It needs a Java client of 4.0": [VERSIONS, f"{LIBRDKAFKA}/INTRODUCTION.md"],
        "Only the generation that goes with the positions (KIP-447)": [KIP_447],
    },
}

# Settings of the boxes: default and since, as in `claims_03`; "as of" where the first version was not read.
SETTINGS = {
    "transactional.id": ("null", "0.11.0"),
    "transaction.state.log.replication.factor": ("3", "as of 4.3.1"),
    "transaction.state.log.min.isr": ("2", "as of 4.3.1"),
    "transactional.id.expiration.ms": ("604800000", "as of 4.3.1"),
    "isolation.level": ("read_uncommitted", "0.11.0"),
    "transaction.timeout.ms": ("60000", "as of 4.3.1"),
    "transaction.max.timeout.ms": ("900000", "as of 4.3.1"),
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": ("10000", "as of 4.3.1"),
    "transaction.partition.verification.enable": ("true", "3.6.0"),
    "enable.auto.commit": ("true", "as of 4.3.1"),
    "transaction.version": ("2", "4.0.0, when the upgrade is finalised"),
}
# The card's columns: Java 4.3.1 and librdkafka 2.15.0.
CARD = {
    "isolation.level": ("read_uncommitted", "read_committed"),
    "transactional.id": ("null; the same in all lives", "null; the same in all lives"),
    "transaction.timeout.ms": ("60000", "60000"),
    "enable.auto.commit": ("true; set it to false", "true; set it to false"),
    "transaction.version": ("2", "classic"),
}

REMOVED = {  # what no notebook says any more, and why
    r"last stable offset\W+is one less than": "it is the first offset at which something is undecided",
    r"OutOfOrderSequence\S* (is|are) fatal (for|to) transactional": "by the code of 4.3.1 it is abortable",
}
