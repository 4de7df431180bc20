"""Asks the course's log, which has both rules, and takes the other setting that hashes as Java does."""

from exactly_once.errors import BadInput
from exactly_once.log import partition_for


def together(key, partitions, partitioner):
    if partitions == 1:
        return True
    try:
        return partition_for(key, partitions) == partition_for(key, partitions, partitioner)
    except BadInput:  # no key, or a rule that does not look at it
        return False


answer = {"together": together, "partitioner": "murmur2"}
