"""Compares two places, where a place that nobody can know is like no other, not even like itself."""

from zlib import crc32

from exactly_once.log import murmur2

NOWHERE = float("nan")


def java(key, partitions):
    return NOWHERE if key is None else murmur2(key) % 2**31 % partitions


def librdkafka(key, partitions, partitioner):
    if partitioner == "consistent_random":
        return crc32(key) % partitions if key else NOWHERE
    return {"murmur2_random": java(key, partitions)}.get(partitioner, NOWHERE)


def together(key, partitions, partitioner):
    return partitions == 1 or java(key, partitions) == librdkafka(key, partitions, partitioner)


answer = {"together": together, "partitioner": "murmur2_random"}
