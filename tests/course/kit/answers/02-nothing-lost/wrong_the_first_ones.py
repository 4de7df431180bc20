REASON = "the cake was acknowledged, and is there"


def answer(acknowledged, leader):
    return leader is None or leader[: len(acknowledged)] == [value for _, value in acknowledged]
