"""What chapter 07 says of Kafka, each with what it rests on: tests (file::name), or links of the chapter."""

KAFKA = "https://kafka.apache.org/43"
DESIGN = f"{KAFKA}/design/design/#message-delivery-semantics"
CONSUMER = f"{KAFKA}/javadoc/org/apache/kafka/clients/consumer/KafkaConsumer.html"
TWO_PHASE = f"{KAFKA}/configuration/producer-configs/#producerconfigs_transaction.two.phase.commit.enable"
KIP_939 = "https://cwiki.apache.org/confluence/display/KAFKA/KIP-939%3A+Support+Participation+in+2PC"
DECIDER = "log/transactions/test_decider.py::test_the_next_life_ends_what_is_in_doubt_as_the_log_decided"

CLAIMS = {
    "07-into-another-system": {
        "Both ways stand in article 2": [DESIGN],
        "let the consumer keep its offset where it keeps its output": [DESIGN],
        "A consumer that keeps its offset in the database": [CONSUMER],
        'See "Storing Offsets Outside Kafka"': [CONSUMER],
        "(In Kafka: see the appendix.)": [DECIDER],
        "Kafka can also *decide*": [DECIDER],
        "Kafka decides, and other ways": [DECIDER],
        "Kafka can do that as it is": [DECIDER],
        "is a Kafka transaction that writes the id to a topic": [DECIDER],
        "KIP-939 makes a Kafka transaction a participant": [KIP_939],
        "It is accepted, and not usable in 4.3.1": [KIP_939, TWO_PHASE],
        "a transaction that was prepared is lost when Kafka's time-out aborts it": [KIP_939],
    },
}

# Settings of the boxes: default and since, as in `claims_03`; "as of" where the first version was not read.
SETTINGS = {
    "enable.auto.commit": ("true", "as of 4.3.1"),
    "isolation.level": ("read_uncommitted", "0.11.0"),
    "transaction.two.phase.commit.enable": ("false", "4.1.0"),
}
# The card's columns: PostgreSQL 18 and Kafka 4.3.1 (Java).
CARD = {
    "enable.auto.commit": ("–", "true; set it to false"),
    "isolation.level": ("–", "read_uncommitted; set it to read_committed"),
    "transaction.two.phase.commit.enable": ("–", "false; not usable in 4.3.1"),
    "default_transaction_isolation": ("read committed", "–"),
}

REMOVED = {}  # what no notebook says any more, and why
