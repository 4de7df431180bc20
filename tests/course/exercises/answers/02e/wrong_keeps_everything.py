"""Compacts nothing."""

REASON = "a later one has the same key"


def answer(records, before):
    return records
