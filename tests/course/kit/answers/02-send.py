"""Answers to the gap 02-send."""

from tests.course.answers import Answers

given = """
    from exactly_once.log import partition_for
"""
answers = Answers("02-send", given)

answers.right("a list").code("""
    def answer(topic, key, value):
        number = partition_for(key, len(topic))
        topic[number] += [(key, value)]
        return [number, len(topic[number]) - 1]
""")

answers.right("with a helper and insert").code("""
    from exactly_once.log import murmur2


    def end_of(log):
        return len(log)


    def answer(topic, key, value):
        place = (murmur2(key) & 0x7FFFFFFF) % len(topic)
        offset = end_of(topic[place])
        topic[place].insert(offset, (key, value))
        return (place, offset)
""")

answers.wrong(
    "overwrites the key",
    (".append(value)", "[:] = [one for one in topic[partition] if one[0] != key] + [(key, value)]"),
    of="the value alone",
    reason="nothing else in it changes",
)

answers.wrong(
    "turns",
    ("partition = partition_for(key, len(topic))", "partition = sum(map(len, topic)) % len(topic)"),
    reason="it belongs there alone",
)

answers.wrong(
    "always three partitions",
    ("(key, len(topic))", "(key, 3)"),
    ("append(value)", "append((key, value))"),
    of="the value alone",
    reason="fails with IndexError",
)

answers.wrong(
    "offset counted from 1",
    ("append(value)", "append((key, value))"),
    ("(topic[partition]) - 1", "(topic[partition])"),
    of="the value alone",
    reason="counted from 0",
)

answers.wrong("at the beginning", reason="A log grows at its end").code("""
    def answer(topic, key, value):
        partition = partition_for(key, len(topic))
        topic[partition].insert(0, (key, value))
        return partition, 0
""")

answers.wrong("returns nothing", reason="returns None").code("""
    def answer(topic, key, value):
        topic[partition_for(key, len(topic))].append((key, value))
""")

answers.wrong("the value alone", reason="is in no partition").code("""
    def answer(topic, key, value):
        partition = partition_for(key, len(topic))
        topic[partition].append(value)
        return partition, len(topic[partition]) - 1
""")

answers.wrong(
    "the first equal one",
    ("len(topic[partition]) - 1", "topic[partition].index((key, value))"),
    reason="Return (2, 2)",
)
