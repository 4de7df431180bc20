"""Says that records without a key part, even where there is one partition."""

from exactly_once.errors import BadInput
from exactly_once.log import partition_for

REASON = "There is only one partition"


def together(key, partitions, partitioner):
    try:
        return partition_for(key, partitions) == partition_for(key, partitions, partitioner)
    except BadInput:
        return False


answer = {"together": together, "partitioner": "murmur2_random"}
