"""Makes the hash positive by its absolute value."""

from exactly_once.log import murmur2

REASON = "It takes the absolute value"


def answer(key, partitions):
    return abs(murmur2(key)) % partitions
