REASON = "[2] are"


def answer(acknowledged, readable):
    return set(acknowledged) - set(readable), {number for number in acknowledged if readable.count(number) > 1}
