REASON = "they are not the same"


def answer(acknowledged, readable):
    lost = acknowledged[len(readable) :] if len(readable) != len(acknowledged) else []
    lost = [n for n in acknowledged if n not in readable] if len(readable) < len(acknowledged) else lost
    return lost, sorted({n for n in readable if readable.count(n) > 1})
