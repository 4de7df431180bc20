REASON = "never promised"


def answer(acknowledged, readable):
    return set(acknowledged) ^ set(readable), {n for n in readable if readable.count(n) > 1}
