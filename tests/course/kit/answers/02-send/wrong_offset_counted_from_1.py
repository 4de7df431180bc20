from exactly_once.log import partition_for

REASON = "counted from 0"


def answer(topic, key, value):
    partition = partition_for(key, len(topic))
    topic[partition].append((key, value))
    return partition, len(topic[partition])
