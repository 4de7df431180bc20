"""The statements of chapter 07 on Kafka, each with its evidence: tests (file::name), or links of the chapter."""

KAFKA = "https://kafka.apache.org/43"
DESIGN = f"{KAFKA}/design/design/#message-delivery-semantics"
CONSUMER = f"{KAFKA}/javadoc/org/apache/kafka/clients/consumer/KafkaConsumer.html"
TWO_PHASE = f"{KAFKA}/configuration/producer-configs/#producerconfigs_transaction.two.phase.commit.enable"
KIP_939 = "https://cwiki.apache.org/confluence/display/KAFKA/KIP-939%3A+Support+Participation+in+2PC"
DECIDER = "log/transactions/test_decider.py::test_the_next_life_ends_what_is_in_doubt_as_the_log_decided"

CLAIMS = {
    "07-into-another-system": {
        "describes the two ways": [DESIGN],
        "let the consumer keep its offset where it keeps its output": [DESIGN],
        "A consumer that keeps its offset in the database": [CONSUMER],
        'See "Storing Offsets Outside Kafka"': [CONSUMER],
        "Kafka can be the system that *decides*": [DECIDER],
        "Kafka decides, and other ways": [DECIDER],
        "Kafka can do that without any change": [DECIDER],
        "is a Kafka transaction that writes the id to a topic": [DECIDER],
        "Kafka as a system that *prepares* is KIP-939": [KIP_939, TWO_PHASE],
        "Kafka as a participant that prepares is KIP-939": [KIP_939],
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
