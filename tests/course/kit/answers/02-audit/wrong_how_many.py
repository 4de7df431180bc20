REASON = "return two lists"


def answer(acknowledged, readable):
    return len(set(acknowledged) - set(readable)), len(readable) - len(set(readable))
