# Plausible: right for every key; the record without one it sends where the empty key goes.
"""Takes a missing key for an empty one."""

from zlib import crc32

from exactly_once.log import murmur2

REASON = "A record without a key goes to any partition"


def together(key, partitions, partitioner):
    key = key or b""
    if partitions == 1:
        return True
    if partitioner != "consistent_random":
        return partitioner == "murmur2_random"
    return key != b"" and (murmur2(key) & 0x7FFFFFFF) % partitions == crc32(key) % partitions


answer = {"together": together, "partitioner": "murmur2_random"}
