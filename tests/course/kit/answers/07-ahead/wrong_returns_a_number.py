REASON = "It returns True, or False, or a text"


def answer(view):
    return max(0, len(view.outputs) - 1) - view.counter
