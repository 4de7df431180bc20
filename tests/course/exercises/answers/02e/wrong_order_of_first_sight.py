"""Collects in a dictionary, which keeps each key where it first stood."""

REASON = "but in another order"


def answer(records, before):
    last = {}
    for record in records:
        last[record[1] if record[0] < before else record] = record
    return list(last.values())
