from exactly_once.log import partition_for

REASON = "nothing else in it changes"


def answer(topic, key, value):
    partition = partition_for(key, len(topic))
    topic[partition][:] = [one for one in topic[partition] if one[0] != key] + [(key, value)]
    return partition, len(topic[partition]) - 1
