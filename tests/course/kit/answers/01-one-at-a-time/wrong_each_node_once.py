REASON = "never were two inside at once"


def answer(view):
    entered = [node for what, node, _ in view.outputs if what == "enters"]
    inside = sum(1 if what == "enters" else -1 for what, *_ in view.outputs)
    return inside < 2 and len(entered) == len(set(entered))
