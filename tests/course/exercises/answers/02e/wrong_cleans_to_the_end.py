# Plausible: right where everything is cleaned.
"""Cleans the whole log, the part that is still being written included."""

REASON = "where the cleaner does not look"


def answer(records, before):
    last = {key: offset for offset, key, _ in records}
    return [record for record in records if last[record[1]] == record[0]]
