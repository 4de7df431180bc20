REASON = "it belongs there alone"


def answer(topic, key, value):
    partition = sum(map(len, topic)) % len(topic)
    topic[partition].append((key, value))
    return partition, len(topic[partition]) - 1
