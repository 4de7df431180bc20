"""Goes through the log from its end, and keeps what it sees for the first time."""


def answer(records, before):
    seen, kept = set(), []
    for record in reversed(records):
        offset, key, _ = record
        if offset >= before:
            kept.append(record)
        elif key not in seen:
            kept.append(record)
            seen.add(key)
    return kept[::-1]
