REASON = "your rule returns None"


def answer(view):
    if view.done:
        return set(view.outputs) >= {1, 2, 3}
