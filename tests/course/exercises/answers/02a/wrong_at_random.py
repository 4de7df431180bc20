"""Chooses a setting under which no key has a place."""

from exactly_once.errors import BadInput
from exactly_once.log import partition_for

REASON = "not even its own stay in order"


def together(key, partitions, partitioner):
    if partitions == 1:
        return True
    try:
        return partition_for(key, partitions) == partition_for(key, partitions, partitioner)
    except BadInput:
        return False


answer = {"together": together, "partitioner": "random"}
