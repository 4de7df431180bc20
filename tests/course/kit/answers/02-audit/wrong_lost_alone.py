REASON = "return two lists"


def answer(acknowledged, readable):
    return [n for n in acknowledged if n not in readable]
