from exactly_once.log import partition_for

REASON = "is in no partition"


def answer(topic, key, value):
    partition = partition_for(key, len(topic))
    topic[partition].append(value)
    return partition, len(topic[partition]) - 1
