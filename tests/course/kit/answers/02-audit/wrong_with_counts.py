from collections import Counter

REASON = "return two lists"


def answer(acknowledged, readable):
    lost = [number for number in acknowledged if number not in readable]
    return lost, {number: count for number, count in Counter(readable).items() if count > 1}
