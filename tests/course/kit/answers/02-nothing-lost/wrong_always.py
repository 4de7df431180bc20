REASON = "is broken"


def answer(acknowledged, leader):
    return True
