"""What chapter 05 says of Kafka, each with what it rests on: tests (file::name), or links of the chapter."""

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
        "predict what Kafka's broker answers to a number": [WINDOW, FIRST],
        "by the rule of article 1, and by Kafka's rule": [
            f"{LAB}::test_a_duplicate_is_answered_by_each_rule_in_its_way"
        ],
        "Kafka's documentation speaks of a sequence number": [
            "https://kafka.apache.org/43/design/design/#message-delivery-semantics"
        ],
        "is another thing: the offset up to which all in-sync replicas have the log": [
            "log/test_brokers.py::test_a_record_is_on_all_replicas_and_committed_when_acks_all_returns"
        ],
        "### Kafka's rule": [WINDOW],
        "Kafka's broker keeps more, for each producer and partition": [WINDOW],
        "What does Kafka's broker make of each of these?": [WINDOW, FIRST],
        "The course's log keeps Kafka's rule unless told otherwise": [FIRST],
        "takes *any* first number. (Versions 2.5 to 4.4; 2.4 insisted on 0.)": [FIRST],
        "and every producer in a partition that never held a record, from 4.5": [FIRST_4_5],
        "in Kafka, too, it is the client library that numbers": [
            f"{CLIENTS}::test_an_idempotent_producer_may_send_again"
        ],
        "`append` goes to the partition with Kafka's rule": [FIRST],
        "This is Kafka's own limit": [KEPT_ID],
        "In Kafka a producer id cannot be kept by the application": [f"{PRODUCER}transactional.id"],
        "And last, Kafka's rule with *six* in flight": [SIX, DOUBLES],
        "batch 2 is the next one after the last acknowledged": [DOUBLES],
        "It sends batch 2 under its number until `delivery.timeout.ms` is over": [WAITS],
        "librdkafka stops with a fatal error in both cases": [STOPS, INTRODUCTION],
        "Batch 1 is refused for the moment": [LOST],
        "The repair is partial, as the third row shows": [LOST_4_5],
        "Kafka's rule once more with a new producer id in each life": [KEPT_ID],
        '`"Kafka\'s rule"` and `"Kafka\'s rule, new ids"`': [KEPT_ID],
        "duplicates acknowledged with their first offset; any first number of an unknown producer": [WINDOW, FIRST],
        "Java clients number by default since 3.0.1, 3.1.1 and 3.2.0": [f"{PRODUCER}enable.idempotence"],
        "A refused number makes Java's bump the epoch, or wait until the batch expires": [DOUBLES, WAITS, STOPS],
        "Kafka's breaks with six in flight, and with a new id in the next life": [SIX, KEPT_ID],
        "catches a `TimeoutException` of `send`": [f"{PRODUCER}delivery.timeout.ms"],
        "Kafka's acknowledgement says that": [WINDOW],
        "Section 4 states three things of Kafka's broker": [WINDOW],
        "In Kafka 4.3.1: `ProducerAppendInfo` and `DefaultRecordBatch`": [
            f"{EXERCISES}::test_the_rule_to_accept_is_that_of_the_log"
        ],
        "The setting is in Kafka's Broker Configs": [f"{BROKER}producer.id.expiration.ms"],
        "Kafka looks for idle producers every ten minutes": [
            f"{MODEL}::test_of_a_forgotten_producer_the_newest_copy_is_known_and_not_the_old_one",
            f"{BROKER}producer.id.expiration.ms",
        ],
        "In Kafka 4.3.1: `ProducerStateManager`": [
            f"{EXERCISES}::test_after_a_clean_stop_four_batches_are_forgotten"
        ],
        "in 2.5.0, the state stays in memory when the records go": [FORGOTTEN, KIP_360],
    },
}

REMOVED = {  # what no notebook says any more, and why
    r"bumps its epoch when its oldest number is refused": "only when the batch follows the last acknowledged one",
    r"whether a real broker can be brought to it": "it can: KAFKA-14312, KAFKA-15591, KAFKA-19880",
    r"one number in two programs": "the window is the broker's, and a clean restart cuts it down to one",
}
