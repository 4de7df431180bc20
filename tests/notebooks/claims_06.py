"""The statements of chapter 06 on Kafka, each with its evidence: tests (file::name), or links of the chapter."""

COORDINATOR = "log/transactions/test_coordinator.py"
OFFSETS, VERIFIED = "log/transactions/test_offsets.py", "log/transactions/test_verification.py"
UNANSWERED, EXPLORED = "log/transactions/test_unanswered.py", "handlers/test_transaction_protocol.py"
KIPS = "https://cwiki.apache.org/confluence/display/KAFKA"
KIP_98 = f"{KIPS}/KIP-98+-+Exactly+Once+Delivery+and+Transactional+Messaging"
KIP_447 = f"{KIPS}/KIP-447%3A+Producer+scalability+for+exactly+once+semantics"
KIP_664 = f"{KIPS}/KIP-664%3A+Provide+tooling+to+detect+and+abort+hanging+transactions"
KIP_890 = f"{KIPS}/KIP-890%3A+Transactions+Server-Side+Defense"
KIP_1050 = f"{KIPS}/KIP-1050%3A+Consistent+error+handling+for+Transactions"
KIP_1228 = f"{KIPS}/KIP-1228%3A+Add+Transaction+Version+to+WriteTxnMarkersRequest"
LIBRDKAFKA = "https://github.com/confluentinc/librdkafka/blob/v2.15.0"
DESIGN = "https://kafka.apache.org/43/design/design/#message-delivery-semantics"
PRODUCER = "https://kafka.apache.org/43/javadoc/org/apache/kafka/clients/producer/KafkaProducer.html"
CONFIGURATION = "https://kafka.apache.org/43/configuration"
VERSIONS = "https://kafka.apache.org/43/operations/transaction-protocol/"
SPARK = "https://github.com/apache/spark/blob/v4.2.0/docs/streaming/structured-streaming-kafka-integration.md"

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
        "No reader ever gets a marker, though each marker takes an offset": [
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
        "Since Kafka 4.0 the leader that gets a transaction's first record": [
            VERSIONS,
            "log/transactions/test_in_a_log.py::test_a_write_outside_a_transaction_is_refused_or_begins_one",
        ],
        "but their `min.insync.replicas` is 1 by default": [
            f"{CONFIGURATION}/topic-configs/#topicconfigs_min.insync.replicas"
        ],
        "Compaction, too, takes nothing at or behind the last stable offset": [
            "log/transactions/test_partitions.py::test_nothing_of_an_open_transaction_is_compacted"
        ],
        "`ProducerFenced` does not prove that: here the time-out raised the epoch": [
            f"{UNANSWERED}::test_what_a_producer_is_told_whose_time_was_over_while_nobody_else_was_there"
        ],
        "in the classic protocol, though nobody fenced it": [
            f"{UNANSWERED}::test_what_a_producer_is_told_whose_time_was_over_while_nobody_else_was_there"
        ],
        "the abort of such a producer succeeds and it can continue": [
            f"{UNANSWERED}::test_an_abort_after_the_time_limit_succeeds_where_every_end_raises_the_epoch"
        ],
        "A TimeoutException of `commitTransaction` is answered by `commitTransaction`": [
            PRODUCER,
            f"{UNANSWERED}::test_an_end_that_timed_out_is_called_again_and_nothing_else",
        ],
        "A TimeoutException of `send` is the opposite": [
            f"{UNANSWERED}::test_after_a_send_that_timed_out_the_transaction_is_aborted"
        ],
        "KIP-1050, in 4.1.0 for the most part": [KIP_1050],
        "*From 3.6* (KIP-890, part 1) it first asks the coordinator": [
            KIP_890,
            f"{VERIFIED}::test_what_comes_after_the_marker_hangs_only_where_nobody_asks",
        ],
        "a client sends no AddPartitionsToTxn and no AddOffsetsToTxn any more": [VERSIONS],
        "*From 4.2* (KIP-1228) a leader that has a transaction open": [
            KIP_1228,
            f"{VERIFIED}::test_since_4_2_a_marker_has_to_be_newer_than_the_open_records",
        ],
        "Part 2 needs a Java client of 4.0": [VERSIONS, f"{LIBRDKAFKA}/INTRODUCTION.md"],
        "KIP-890's epochs stop late requests as well": [
            KIP_890,
            f"{EXPLORED}::test_history_is_found_up_to_the_version_that_closed_it",
        ],
        "leaders of 4.0 and 4.1 took an equal epoch": [
            f"{VERIFIED}::test_a_late_marker_of_an_equal_epoch_ends_the_next_transaction_for_good"
        ],
        "KIP-1228 closed the hole, with one exception": [
            KIP_1228,
            f"{VERIFIED}::test_a_marker_of_an_equal_epoch_is_its_own_retry_where_nothing_is_open",
        ],
        "Now read KIP-890 and KIP-1228": [KIP_890, KIP_1228],
        "Kafka's leaders of 4.0 and 4.1 had this rule": [
            f"{VERIFIED}::test_a_late_marker_of_an_equal_epoch_ends_the_next_transaction_for_good"
        ],
        "each version of Kafka has its own rules": [VERSIONS],
        "KIP-890 had a hole": [f"{EXPLORED}::test_a_late_marker_ends_the_next_transaction_in_4_0_and_4_1"],
        "what carries over to Kafka is the shape": [DESIGN],
        "Kafka Streams is the use that article 2 names": [
            f"{CONFIGURATION}/kafka-streams-configs/#streamsconfigs_processing.guarantee"
        ],
        "Kafka Connect can write a source connector's records": [
            f"{CONFIGURATION}/kafka-connect-configs/#connectconfigs_exactly.once.source.support"
        ],
        "Spark's sink for Kafka is at-least-once": [f"{SPARK}#writing-data-to-kafka"],
        "are KIP-664": [
            KIP_664,
            f"{UNANSWERED}::test_a_hanging_transaction_is_found_and_ended_by_an_operator",
        ],
        "calls unclean elections incompatible with exactly-once semantics": [
            f"{CONFIGURATION}/topic-configs/#topicconfigs_unclean.leader.election.enable",
            f"{UNANSWERED}::test_an_unclean_election_can_keep_the_records_and_lose_the_marker",
        ],
        "Only the generation that goes with the positions (KIP-447)": [KIP_447],
    },
}

# Settings of the boxes: default and since, as in `claims_03`.
SETTINGS = {
    "transactional.id": ("null", "0.11.0"),
    "transaction.state.log.replication.factor": ("3", "0.11.0"),
    "transaction.state.log.min.isr": ("2", "0.11.0"),
    "transactional.id.expiration.ms": ("604800000", "0.11.0"),
    "isolation.level": ("read_uncommitted", "0.11.0"),
    "transaction.timeout.ms": ("60000", "0.11.0"),
    "transaction.max.timeout.ms": ("900000", "0.11.0"),
    "transaction.partition.verification.enable": ("true", "3.6.0"),
    "max.block.ms": ("60000", "2.3.0 for commit and abort"),
    "processing.guarantee": ("at_least_once", "3.0.0 for exactly_once_v2"),
    "exactly.once.source.support": ("disabled", "3.3.0"),
    "min.insync.replicas": ("1", "0.8.2"),
    "unclean.leader.election.enable": ("false", "0.11.0"),
    "transaction.version": ("2", "4.0.0, when the upgrade is finalised"),
}
# The card's columns: Java 4.3.1 and librdkafka 2.15.0.
CARD = {
    "isolation.level": ("read_uncommitted", "read_committed"),
    "transactional.id": ("null; the same at each start", "null; the same at each start"),
    "transaction.timeout.ms": ("60000", "60000"),
    "enable.auto.commit": ("true; set it to false", "true; set it to false"),
    "transaction.version": ("2; late markers until 4.2", "classic"),
    "min.insync.replicas": ("1, of the topic; set it to 2", "the broker's"),
    "unclean.leader.election.enable": ("false; leave it so", "the broker's"),
}

REMOVED = {  # what no notebook says any more, and why
    r"last stable offset\W+is one less than": "it is the first offset at which something is undecided",
    r"OutOfOrderSequence\S* (is|are) fatal (for|to) transactional": "by the code of 4.3.1 it is abortable",
    r"epoch is old by then, and all of it is refused": "a late marker was not, before 4.2",
    r"ProducerFenced \| stop": "it is no proof of another incarnation, and a new producer is made",
}
