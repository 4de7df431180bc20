REASON = "give a list whose last entry is the value"


def answer(node, name, step, value):
    return {"from": name, "value": value}
