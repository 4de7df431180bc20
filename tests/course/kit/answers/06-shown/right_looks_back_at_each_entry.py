def answer(entries, aborted):
    values = []
    markers = {}
    for offset, producer, kind, _ in entries:
        if kind == "abort":
            markers.setdefault(producer, []).append(offset)
    spans = []
    for producer, first in aborted:
        end = min((m for m in markers.get(producer, ()) if m > first), default=float("inf"))
        spans.append((producer, first, end))
    for offset, producer, kind, value in entries:
        if kind == "record" and not any(p == producer and first <= offset < end for p, first, end in spans):
            values.append(value)
    return values
