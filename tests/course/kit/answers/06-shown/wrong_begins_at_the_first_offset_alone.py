REASON = "begins in the middle of an aborted transaction"


def answer(entries, aborted):
    values, hidden = [], set()
    for offset, producer, kind, value in entries:
        if (producer, offset) in aborted:
            hidden.add(producer)
        if kind == "abort":
            hidden.discard(producer)
        elif kind == "record" and producer not in hidden:
            values.append(value)
    return values
