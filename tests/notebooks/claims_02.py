"""The statements of chapter 02 on Kafka, each with its evidence: tests (file::name), or links of the chapter."""

CONFIGS = "https://kafka.apache.org/43/configuration"
CLIENTS, BROKERS = "log/test_clients.py", "log/test_brokers.py"
RETENTION, PROVED = "log/test_retention.py", "log/test_proved.py"

CLAIMS = {
    "02-the-log": {
        "Terms and rules are those of Apache Kafka 4.3": [f"{CONFIGS}/broker-configs/"],
        "A topic has no order of its own; each partition has one": [
            f"{CLIENTS}::test_equal_keys_keep_their_order_in_one_partition"
        ],
        "places records as Kafka's Java client does, or as librdkafka does": [
            f"{CLIENTS}::test_both_partitioners_place_keys_as_librdkafkas_test_says"
        ],
        "The Java client takes murmur2 of the key, librdkafka takes CRC32": [
            f"{CLIENTS}::test_two_clients_with_their_defaults_separate_equal_keys"
        ],
        "librdkafka calls Java's partitioner `murmur2_random`": [
            "https://github.com/confluentinc/librdkafka/blob/v2.15.0/CONFIGURATION.md"
        ],
        "stays with one partition until about 16 kilobytes went there": [
            f"{CLIENTS}::test_without_key_a_producer_stays_in_a_partition_for_a_while_and_then_turns"
        ],
        "A consumer group does not acknowledge single records": [
            f"{CLIENTS}::test_a_consumer_reads_on_from_what_its_group_committed"
        ],
        "Kafka 4.2 also has *share groups*": ["https://kafka.apache.org/42/getting-started/upgrade/"],
        "drops whole closed segments from the beginning, by age or by size": [
            f"{RETENTION}::test_old_segments_go_whole_and_the_newest_goes_last",
            f"{RETENTION}::test_retention_by_size_keeps_about_that_much",
        ],
        "The request may cut inside a segment": [f"{RETENTION}::test_the_log_start_may_lie_inside_a_batch"],
        "keeps at least the newest record of each key": [
            f"{RETENTION}::test_compaction_keeps_the_newest_record_of_each_key_at_its_offset"
        ],
        "The next fetch asks for offset 1, which tells the leader that the follower has offset 0": [
            f"{BROKERS}::test_by_hand_the_high_watermark_moves_when_followers_have_reported"
        ],
        "nobody waits for that follower until it has caught up": [
            f"{BROKERS}::test_a_follower_that_does_not_fetch_leaves_those_in_sync_while_acks_all_waits"
        ],
        "so the brokers take turns in leading a topic's partitions": [
            f"{BROKERS}::test_partitions_are_spread_and_a_death_moves_only_the_leaders_that_died"
        ],
        "The tea was acknowledged and is lost: broker 0 alone had it": [
            f"{PROVED}::test_acks_1_is_lost_with_the_leader"
        ],
        "An unclean election takes a leader that may lack committed records": [
            f"{PROVED}::test_an_unclean_election_loses_what_was_committed"
        ],
        "The leader answers where epoch 0 ends in *its* log": [
            f"{BROKERS}::test_followers_truncate_by_leader_epoch_after_quick_changes_of_leader"
        ],
        "Before version 0.11 a Kafka follower that started again cut its log at its own high watermark": [
            f"{BROKERS}::test_before_leader_epochs_a_restart_and_a_death_lost_what_was_committed",
            f"{BROKERS}::test_with_leader_epochs_the_same_restart_and_death_lose_nothing",
        ],
        "This is the first story of KIP-101": [
            f"{BROKERS}::test_before_leader_epochs_a_restart_and_a_death_lost_what_was_committed"
        ],
        "the high watermark moves only while at least that many replicas are in sync": [
            f"{BROKERS}::test_below_the_minimum_acks_all_is_refused_and_acks_1_stays_invisible"
        ],
        "The death of one broker then loses no acknowledged record": [
            f"{PROVED}::test_what_was_promised_is_there_while_an_in_sync_replica_lives"
        ],
        "are the usual choice for records that must not be lost": [
            f"{CONFIGS}/topic-configs/#topicconfigs_min.insync.replicas"
        ],
        "9 seconds by default": [f"{CONFIGS}/broker-configs/#brokerconfigs_broker.session.timeout.ms"],
        "a twentieth of Kafka's 9 s": [f"{CONFIGS}/broker-configs/#brokerconfigs_broker.session.timeout.ms"],
        "finds KIP-101's story by itself": [
            f"{PROVED}::test_the_explorer_finds_why_followers_do_not_truncate_to_their_high_watermark"
        ],
    },
}

REMOVED = {  # what no notebook says any more, and why
    r"Kafka's clients use \*?murmur2": "librdkafka's default is CRC32",
    r"every client has to compute the same": "two clients with their defaults do not",
    r"one death costs neither records nor time": "an election takes seconds: broker.session.timeout.ms",
    r"Retention\S* deletes from the beginning": "it drops whole closed segments; DeleteRecords cuts anywhere",
    r"Real Kafka once cut .* two quick changes of leader": "one restart and one death are enough (KIP-101)",
    r"Readers? (always|only) reads? from the leader": "since 2.4 consumers may read from followers (KIP-392)",
    r"high watermark\S* is the first offset that an": "too few in-sync replicas hold it back (KIP-966)",
}
