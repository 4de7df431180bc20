# Plausible: right for every key with a positive hash.
"""Takes the remainder of the signed hash, as it is."""

from exactly_once.log import murmur2

REASON = "they clear the sign bit first"


def answer(key, partitions):
    return murmur2(key) % partitions
