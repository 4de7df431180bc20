REASON = "waiting, and no loss"


def answer(acknowledged, leader):
    there = list(enumerate(leader or []))
    return all(one in there for one in acknowledged)
