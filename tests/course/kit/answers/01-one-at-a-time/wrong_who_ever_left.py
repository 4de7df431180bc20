REASON = "enters 1, leaves 1, enters 1, enters 2"


# Plausible: a node that has left once may be inside again
def answer(view):
    entered = {node for what, node, _ in view.outputs if what == "enters"}
    left = {node for what, node, _ in view.outputs if what == "leaves"}
    return len(entered - left) <= 1
