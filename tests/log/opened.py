"""What is in a log, for tests."""


def values(log, topic="t", partition=0, start=0, **how):
    """Return what a reader sees of a partition."""
    return [record.value for record in log.fetch(topic, partition, start, **how)]


def held(log, broker, topic="t", partition=0):
    """Return the values in a broker's own log."""
    (found,) = [
        replica
        for one in log.snapshot()["partitions"]
        for replica in one["replicas"]
        if (one["topic"], one["partition"], replica["broker"]) == (topic, partition, broker)
    ]
    return [record["value"] for record in found["records"]]
