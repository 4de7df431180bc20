"""Moves negative hashes up, and leaves the others."""

from exactly_once.log import murmur2


def answer(key, partitions):
    found = murmur2(key)
    if found < 0:
        found += 1 << 31
    return divmod(found, partitions)[1]
