REASON = "It says that"


def answer(acknowledged, readable):
    return {n for n in readable if readable.count(n) > 1}, set(acknowledged) - set(readable)
