REASON = "on its way"


def answer(acknowledged, leader):
    return leader is None or [value for _, value in acknowledged] == leader
