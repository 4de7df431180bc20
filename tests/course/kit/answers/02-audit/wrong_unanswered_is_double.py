REASON = "is no double"


def answer(acknowledged, readable):
    left = list(readable)
    for number in acknowledged:
        if number in left:
            left.remove(number)
    return [n for n in acknowledged if n not in readable], left
