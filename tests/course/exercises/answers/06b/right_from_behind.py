"""Goes through the log from its end, where each transaction's fate stands first."""


def answer(log, high):
    fate, stable, found = {}, high, []
    for offset in range(high - 1, -1, -1):
        kind, producer, value = log[offset]
        if kind != "data":
            fate[producer] = kind
        elif producer is None or fate.get(producer) == "commit":
            found.append((offset, value))
        elif producer not in fate:
            stable = offset
    first = {}
    for offset, (kind, producer, _) in enumerate(log[:high]):
        if kind == "data" and producer:
            first.setdefault(producer, offset)
        elif kind != "data":
            first.pop(producer)
    stable = min([high, *first.values()])
    return stable, tuple(value for offset, value in reversed(found) if offset < stable)
