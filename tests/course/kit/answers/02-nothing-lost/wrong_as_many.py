REASON = "is broken"


def answer(acknowledged, leader):
    return leader is None or len(leader) >= len(acknowledged)
