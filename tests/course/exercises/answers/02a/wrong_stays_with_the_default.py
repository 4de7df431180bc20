# Plausible: the function is right.
"""Knows what the defaults do, and leaves them."""

from exactly_once.errors import BadInput
from exactly_once.log import partition_for

REASON = "CRC-32, where the Java client uses murmur2"


def together(key, partitions, partitioner):
    if partitions == 1:
        return True
    try:
        return partition_for(key, partitions) == partition_for(key, partitions, partitioner)
    except BadInput:
        return False


answer = {"together": together, "partitioner": "consistent_random"}
