from exactly_once.log import partition_for

REASON = "returns None"


def answer(topic, key, value):
    topic[partition_for(key, len(topic))].append((key, value))
