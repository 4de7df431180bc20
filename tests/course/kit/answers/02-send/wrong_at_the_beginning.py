from exactly_once.log import partition_for

REASON = "A log grows at its end"


def answer(topic, key, value):
    partition = partition_for(key, len(topic))
    topic[partition].insert(0, (key, value))
    return partition, 0
