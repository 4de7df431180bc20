"""Keeps the first record of each key."""

REASON = "and it is the last of key 'a'"


def answer(records, before):
    seen, kept = set(), []
    for offset, key, value in records:
        if offset >= before or key not in seen:
            kept.append((offset, key, value))
        seen.add(key)
    return kept
