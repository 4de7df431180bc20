"""Hashes with Python's own function, which differs in every process."""

REASON = "which differs from process to process"


def answer(key, partitions):
    return hash(key) % partitions
