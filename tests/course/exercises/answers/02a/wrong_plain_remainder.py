"""Forgets the sign bit, for which Python's remainder is forgiving, and Java's client is not asked."""

from zlib import crc32

from exactly_once.log import murmur2

REASON = "clears the sign bit first"


def together(key, partitions, partitioner):
    if partitions == 1:
        return True
    if key is None or partitioner == "random":
        return False
    if partitioner == "murmur2_random":
        return True
    return key != b"" and murmur2(key) % partitions == crc32(key) % partitions


answer = {"together": together, "partitioner": "murmur2_random"}
