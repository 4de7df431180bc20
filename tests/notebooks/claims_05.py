"""The statements of chapter 05 on Kafka, each with its evidence: tests (file::name), or links of the chapter."""

RULES, EXPLORED, CLIENTS = "log/test_sequence_rules.py", "explore/test_idempotent.py", "log/test_clients.py"
MODEL, LAB, EXERCISES = "log/test_model.py", "widgets/test_producer.py", "course/exercises/test_brokers.py"
INTRODUCTION = "https://github.com/confluentinc/librdkafka/blob/v2.15.0/INTRODUCTION.md"
PRODUCER = "https://kafka.apache.org/43/configuration/producer-configs/#producerconfigs_"
BROKER = "https://kafka.apache.org/43/configuration/broker-configs/#brokerconfigs_"
KIP_360 = (
    "https://cwiki.apache.org/confluence/display/KAFKA/"
    "KIP-360%3A+Improve+reliability+of+idempotent%2Ftransactional+producer"
)

WINDOW = f"{RULES}::test_kafka_acknowledges_a_duplicate_with_its_first_offset_for_five_batches"
FIRST = f"{RULES}::test_with_which_number_a_producer_may_begin"
FIRST_4_5 = f"{RULES}::test_since_4_5_only_a_partition_that_once_held_a_record_takes_any_first_number"
KEPT_ID = f"{EXPLORED}::test_a_producer_that_keeps_its_id_is_recognised_after_its_death_and_one_that_does_not_is_not"
SIX = f"{EXPLORED}::test_the_window_holds_for_five_in_flight_and_not_for_six"
DOUBLES = f"{EXPLORED}::test_with_six_in_flight_java_doubles_what_was_on_a_lost_connection"
WAITS = f"{EXPLORED}::test_with_six_in_flight_java_waits_in_vain_for_a_batch_behind_which_others_were_acknowledged"
STOPS = f"{EXPLORED}::test_with_six_in_flight_librdkafka_stops"
LOST = f"{EXPLORED}::test_on_a_new_partition_a_record_is_lost_without_a_lost_message_until_4_5"
LOST_4_5 = f"{EXPLORED}::test_on_a_partition_that_held_a_record_it_is_lost_since_4_5_as_well"
FORGOTTEN = f"{RULES}::test_a_producer_whose_records_were_deleted_is_remembered_since_kip_360"

CLAIMS = {
    "05-the-idempotent-producer": {
        "3. say what Kafka's broker keeps for each producer": [WINDOW, FIRST],
        "### Kafka's rule, and why it has a window": [WINDOW],
        "Kafka's broker keeps an entry for each of the newest *five* batches": [WINDOW],
        "What does Kafka's broker gain by it?": [WINDOW],
        "Kafka's acknowledgement names the record's offset": [WINDOW],
        "The whole rule of Kafka's broker, for one producer and partition": [WINDOW, FIRST],
        "So is *any* batch of a producer of which the broker knows nothing (2.5 to 4.4)": [FIRST],
        "In Kafka the client library numbers the records": [f"{CLIENTS}::test_an_idempotent_producer_may_send_again"],
        "over a broker with Kafka's rule": [FIRST],
        "Kafka has this limit, too": [KEPT_ID],
        "In Kafka an application cannot keep a producer id": [f"{PRODUCER}transactional.id"],
        "treats each answer as Kafka's Java client treats it": [DOUBLES, WAITS],
        "Java's client concludes that the broker has forgotten it": [SIX, DOUBLES],
        "From Kafka 4.5 on, a new producer has to begin with 0": [FIRST_4_5],
        "Batch 1 is refused for the moment": [LOST],
        "Kafka 4.5 avoids the loss in a new partition": [LOST, LOST_4_5],
        "a fourth time under Kafka's rule with a new producer id in each process, as in Kafka": [KEPT_ID],
        '`"Kafka\'s rule"` or `"Kafka\'s rule, new ids"`': [KEPT_ID],
        "*Kafka's rule.* For each producer and partition the broker keeps an epoch": [WINDOW, FIRST],
        "With six in flight, a retry falls out of the window, and Java's client doubles": [SIX, DOUBLES],
        "catches a `TimeoutException` of `send`": [f"{PRODUCER}delivery.timeout.ms"],
        "by the rule of article 1, and by Kafka's rule": [
            f"{LAB}::test_a_duplicate_is_answered_by_each_rule_in_its_way"
        ],
        "Kafka's documentation speaks of a sequence number": [
            "https://kafka.apache.org/43/design/design/#message-delivery-semantics"
        ],
        "is another thing: the offset up to which all in-sync replicas have the log": [
            "log/test_brokers.py::test_a_record_is_on_all_replicas_and_committed_when_acks_all_returns"
        ],
        "In Kafka 4.3.1: `ProducerStateManager`": [
            f"{EXERCISES}::test_java_doubles_or_times_out_as_answers_behind_were_heard_or_not"
        ],
        "In Kafka 4.3.1: `ProducerAppendInfo` and `DefaultRecordBatch`": [
            f"{EXERCISES}::test_the_rule_to_accept_is_that_of_the_log"
        ],
        "The setting is in Kafka's Broker Configs": [f"{BROKER}producer.id.expiration.ms"],
        "Kafka looks for idle producers every ten minutes": [
            f"{MODEL}::test_of_a_forgotten_producer_the_newest_copy_is_known_and_not_the_old_one",
            f"{BROKER}producer.id.expiration.ms",
        ],
        "in 2.5.0, the state stays in memory when the records go": [FORGOTTEN, KIP_360],
        "The client does so only if the refused batch is the next one": [DOUBLES, WAITS],
        "librdkafka stops with a fatal error in both cases": [STOPS, INTRODUCTION],
        "Kafka 4.5 asks for number 0 only in a partition that *never* held a record": [FIRST_4_5, LOST_4_5],
    },
}

REMOVED = {  # what no notebook says any more, and why
    r"bumps its epoch when its oldest number is refused": "only when the batch follows the last acknowledged one",
    r"whether a real broker can be brought to it": "it can: KAFKA-14312, KAFKA-15591, KAFKA-19880",
    r"one number in two programs": "the window is the broker's, and a clean restart cuts it down to one",
}
