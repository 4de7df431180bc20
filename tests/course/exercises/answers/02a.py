"""Answers to the exercise 02a."""

from tests.course.answers import Answers

given = """
    from exactly_once.errors import BadInput
    from exactly_once.log import murmur2, partition_for
    from zlib import crc32
"""
answers = Answers("02a", given)

# Asks the course's log, which has both rules, and takes the other setting that hashes as Java does.
answers.right("asks the library").code("""
    def together(key, partitions, partitioner):
        if partitions == 1:
            return True
        try:
            return partition_for(key, partitions) == partition_for(key, partitions, partitioner)
        except BadInput:  # no key, or a rule that does not look at it
            return False


    answer = {"together": together, "partitioner": "murmur2"}
""")

# Compares two places, where a place that nobody can know is like no other, not even like itself.
answers.right("in one line").code("""
    NOWHERE = float("nan")


    def java(key, partitions):
        return NOWHERE if key is None else murmur2(key) % 2**31 % partitions


    def librdkafka(key, partitions, partitioner):
        if partitioner == "consistent_random":
            return crc32(key) % partitions if key else NOWHERE
        return {"murmur2_random": java(key, partitions)}.get(partitioner, NOWHERE)


    def together(key, partitions, partitioner):
        return partitions == 1 or java(key, partitions) == librdkafka(key, partitions, partitioner)


    answer = {"together": together, "partitioner": "murmur2_random"}
""")

# Knows the effect of the defaults, and leaves them. Plausible: the function is right.
answers.plausible(
    "stays with the default",
    ("BadInput:  # no key, or a rule that does not look at it", "BadInput:"),
    ('": "murmur2', '": "consistent_random'),
    of="asks the library",
    reason="CRC-32, where the Java client uses murmur2",
)

# Takes the empty key for a key like any other, as Java's client does. Plausible: right for every key that is not
# empty.
answers.plausible(
    "empty key is a key", of="plain remainder", reason="For librdkafka's default an empty key counts as none"
).diff("""
    -    if partitioner == "murmur2_random":
    -        return True
    -    return key != b"" and murmur2(key) % partitions == crc32(key) % partitions
    +    java = (murmur2(key) & 0x7FFFFFFF) % partitions
    +    return partitioner == "murmur2_random" or java == crc32(key) % partitions
""")

# Takes a missing key for an empty one. Plausible: right for every key; the record without one it sends where the
# empty key goes.
answers.plausible("no key is a key", reason="A record without a key goes to any partition").code("""
    def together(key, partitions, partitioner):
        key = key or b""
        if partitions == 1:
            return True
        if partitioner != "consistent_random":
            return partitioner == "murmur2_random"
        return key != b"" and (murmur2(key) & 0x7FFFFFFF) % partitions == crc32(key) % partitions


    answer = {"together": together, "partitioner": "murmur2_random"}
""")

# Makes the hash positive by its absolute value.
answers.wrong(
    "absolute value",
    ('return key != b"" and murmur2(key)', 'return key != b"" and abs(murmur2(key))'),
    of="plain remainder",
    reason="The absolute value of a negative hash is another number",
)

# Chooses a setting under which no key has a place.
answers.wrong(
    "at random",
    ("BadInput:  # no key, or a rule that does not look at it", "BadInput:"),
    ('": "murmur2', '": "random'),
    of="asks the library",
    reason="not even its own stay in order",
)

# Gives the name of Java's hash in another spelling.
answers.wrong("a name that is not there", reason="it can be murmur2_random, murmur2").code("""
    answer = {"together": lambda key, partitions, partitioner: True, "partitioner": "Murmur2"}
""")

# Believes that equal keys go to equal partitions under every sender.
answers.wrong("each keeps its own", reason="keeps equal keys together, among its own records").code("""
    def together(key, partitions, partitioner):
        return True


    answer = {"together": together, "partitioner": "murmur2_random"}
""")

# Says that records without a key part, even where there is one partition.
answers.wrong("one partition", reason="There is only one partition").code("""
    def together(key, partitions, partitioner):
        try:
            return partition_for(key, partitions) == partition_for(key, partitions, partitioner)
        except BadInput:
            return False


    answer = {"together": together, "partitioner": "murmur2_random"}
""")

# Forgets the sign bit, for which Python's remainder is forgiving, and Java's client is not asked.
answers.wrong("plain remainder", reason="clears the sign bit first").code("""
    def together(key, partitions, partitioner):
        if partitions == 1:
            return True
        if key is None or partitioner == "random":
            return False
        if partitioner == "murmur2_random":
            return True
        return key != b"" and murmur2(key) % partitions == crc32(key) % partitions


    answer = {"together": together, "partitioner": "murmur2_random"}
""")
