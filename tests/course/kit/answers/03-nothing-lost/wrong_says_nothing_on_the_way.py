REASON = "your rule returns None"


def answer(view):
    if not view.done:
        return None
    return set(view.outputs) >= {1, 2, 3}
