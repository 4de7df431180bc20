REASON = "IndexError"


def answer(acknowledged, leader):
    return leader is None or all(leader[offset] == value for offset, value in acknowledged)
