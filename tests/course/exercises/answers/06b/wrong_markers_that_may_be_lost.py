# Plausible: right as long as everything is replicated.
"""Takes a marker beyond the high watermark for a decision."""

REASON = "not below the high watermark"


def answer(log, high):
    began, spans = {}, []
    for offset, (kind, producer, _) in enumerate(log):
        if kind == "data" and producer:
            began.setdefault(producer, offset)
        elif kind != "data":
            spans.append((producer, began.pop(producer), offset, kind))
    stable = min([high, *began.values()])
    hidden = [(who, a, z) for who, a, z, kind in spans if kind == "abort"]
    return stable, [
        value
        for offset, (kind, who, value) in enumerate(log[:stable])
        if kind == "data" and not any(who == each and a <= offset < z for each, a, z in hidden)
    ]
