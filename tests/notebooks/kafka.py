"""What the boxes and cards of the chapters say of Kafka as it was read, and what was found to be wrong.

Defaults are those of Kafka 4.3.1, read in its sources; since which version was read in the sources of the releases.
"""

# {chapter: {setting of a box: (default, since)}}; "as of" where the first version was not read.
SETTINGS = {
    "03-delivery-semantics": {
        "retries": ("2147483647", "2.1.0 (0 in 2.0)"),
        "request.timeout.ms": ("30000", "0.9.0"),
        "min.cleanable.dirty.ratio": ("0.5", "0.8.2"),
        "min.compaction.lag.ms": ("0", "0.10.1"),
        "max.poll.interval.ms": ("300000", "0.10.1"),
        "session.timeout.ms": ("45000", "3.0.0 (10000 before)"),
        "max.poll.records": ("500", "0.10.1"),
    },
    "06-transactions": {
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
    },
    "07-into-another-system": {
        "enable.auto.commit": ("true", "as of 4.3.1"),
        "isolation.level": ("read_uncommitted", "0.11.0"),
        "transaction.two.phase.commit.enable": ("false", "4.1.0"),
    },
}
# {chapter: {line of its card: its two columns}}: Java and librdkafka 2.15.0; in 07 PostgreSQL 18 and Kafka.
CARD = {
    "03-delivery-semantics": {
        "acks": ("all (since 3.0.0)", "all (since 1.0.0)"),
        "enable.idempotence": ("true (since 3.0.1, 3.1.1, 3.2.0)", "false"),
        "enable.auto.commit": ("true", "true"),
        "max.poll.interval.ms": ("300000", "300000"),
        "max.poll.records": ("500", "–"),
    },
    "06-transactions": {
        "isolation.level": ("read_uncommitted", "read_committed"),
        "transactional.id": ("null; the same at each start", "null; the same at each start"),
        "transaction.timeout.ms": ("60000", "60000"),
        "enable.auto.commit": ("true; set it to false", "true; set it to false"),
        "min.insync.replicas": ("1, of the topic; set it to 2", "the broker's"),
        "unclean.leader.election.enable": ("false; leave it so", "the broker's"),
    },
    "07-into-another-system": {
        "enable.auto.commit": ("–", "true; set it to false"),
        "isolation.level": ("–", "read_uncommitted; set it to read_committed"),
        "transaction.two.phase.commit.enable": ("–", "false; not usable in 4.3.1"),
        "default_transaction_isolation": ("read committed", "–"),
    },
}
