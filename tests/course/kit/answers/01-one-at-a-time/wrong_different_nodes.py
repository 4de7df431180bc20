REASON = "two are inside at once, and yours gives True"


def answer(view):
    inside = [node for what, node, _ in view.outputs if what == "enters"]
    return len(inside) < 3
