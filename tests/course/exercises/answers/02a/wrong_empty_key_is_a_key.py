# Plausible: right for every key that is not empty.
"""Takes the empty key for a key like any other, as Java's client does."""

from zlib import crc32

from exactly_once.log import murmur2

REASON = "For librdkafka's default an empty key counts as none"


def together(key, partitions, partitioner):
    if partitions == 1:
        return True
    if key is None or partitioner == "random":
        return False
    java = (murmur2(key) & 0x7FFFFFFF) % partitions
    return partitioner == "murmur2_random" or java == crc32(key) % partitions


answer = {"together": together, "partitioner": "murmur2_random"}
