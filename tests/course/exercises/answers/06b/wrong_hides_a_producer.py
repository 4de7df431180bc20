# Plausible: right as long as each producer has one transaction.
"""Hides all records of a producer that has aborted something."""

REASON = "was committed at"


def answer(log, high):
    began, aborted = {}, set()
    for offset, (kind, producer, _) in enumerate(log[:high]):
        if kind == "data" and producer:
            began.setdefault(producer, offset)
        elif kind != "data":
            began.pop(producer)
            if kind == "abort":
                aborted.add(producer)
    stable = min([high, *began.values()])
    return stable, [value for kind, who, value in log[:stable] if kind == "data" and who not in aborted]
