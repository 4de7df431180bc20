REASON = "name each record once"


def answer(acknowledged, readable):
    lost = [number for number in acknowledged if number not in readable]
    return lost, [number for number in readable if readable.count(number) > 1]
