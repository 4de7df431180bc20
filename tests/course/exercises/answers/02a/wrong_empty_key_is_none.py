# Plausible: right for every key but the empty one.
"""Takes the empty key for a missing one."""

from exactly_once.log import murmur2

REASON = "The empty key is a key like any other"


def answer(key, partitions):
    return (murmur2(key) & 0x7FFFFFFF) % partitions if key else 0
