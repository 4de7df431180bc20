"""Keeps equal keys together, by a hash that no other client uses."""

import zlib

REASON = "It hashes with CRC-32"


def answer(key, partitions):
    return zlib.crc32(key) % partitions
