REASON = "says nothing of producer 7"


def answer(entries, aborted):
    values, hidden, waiting = [], set(), list(aborted)
    for offset, producer, kind, value in entries:
        while waiting and waiting[0][1] <= offset:
            hidden.add(waiting.pop(0)[0])
        if kind == "abort":
            hidden.clear()
        elif kind == "record" and producer not in hidden:
            values.append(value)
    return values
