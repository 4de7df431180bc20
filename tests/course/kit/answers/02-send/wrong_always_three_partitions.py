from exactly_once.log import partition_for

REASON = "fails with IndexError"


def answer(topic, key, value):
    partition = partition_for(key, 3)
    topic[partition].append((key, value))
    return partition, len(topic[partition]) - 1
