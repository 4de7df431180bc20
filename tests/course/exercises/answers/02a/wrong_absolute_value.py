"""Makes the hash positive by its absolute value."""

from zlib import crc32

from exactly_once.log import murmur2

REASON = "The absolute value of a negative hash is another number"


def together(key, partitions, partitioner):
    if partitions == 1:
        return True
    if key is None or partitioner == "random":
        return False
    if partitioner == "murmur2_random":
        return True
    return key != b"" and abs(murmur2(key)) % partitions == crc32(key) % partitions


answer = {"together": together, "partitioner": "murmur2_random"}
