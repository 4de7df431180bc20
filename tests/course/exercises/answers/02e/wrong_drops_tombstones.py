# Plausible: right for a log without tombstones.
"""Leaves tombstones out, as there is nothing in them."""

REASON = "It is a tombstone, the last word on its key"


def answer(records, before):
    last = {key: offset for offset, key, _ in records if offset < before}
    return [
        (offset, key, value)
        for offset, key, value in records
        if offset >= before or (last[key] == offset and value is not None)
    ]
