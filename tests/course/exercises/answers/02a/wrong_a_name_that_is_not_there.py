"""Gives the name of Java's hash in another spelling."""

REASON = "it can be murmur2_random, murmur2"

answer = {"together": lambda key, partitions, partitioner: True, "partitioner": "Murmur2"}
