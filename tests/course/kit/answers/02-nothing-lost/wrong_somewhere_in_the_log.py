REASON = "holds something else"


def answer(acknowledged, leader):
    return leader is None or all(value in leader for _, value in acknowledged)
