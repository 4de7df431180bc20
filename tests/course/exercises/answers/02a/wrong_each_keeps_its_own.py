"""Believes that equal keys go to equal partitions, whoever sends them."""

REASON = "keeps equal keys together, among its own records"


def together(key, partitions, partitioner):
    return True


answer = {"together": together, "partitioner": "murmur2_random"}
