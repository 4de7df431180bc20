"""Shows a transaction where its marker stands."""

REASON = "in the order of the offsets"


def answer(log, high):
    held, firsts, shown = {}, {}, []
    for offset, (kind, producer, value) in enumerate(log[:high]):
        if kind == "data" and producer:
            firsts.setdefault(producer, offset)
            held.setdefault(producer, []).append((offset, value))
        elif kind == "data":
            shown.append((offset, value))
        else:
            firsts.pop(producer)
            done = held.pop(producer)
            shown += done if kind == "commit" else []
    stable = min([high, *firsts.values()])
    return stable, [value for offset, value in shown if offset < stable]
