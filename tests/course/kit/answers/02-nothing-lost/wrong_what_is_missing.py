REASON = "True or False"


def answer(acknowledged, leader):
    return [] if leader is None else [one for one in acknowledged if one not in list(enumerate(leader))]
