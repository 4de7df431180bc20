REASON = "It returns True, or False, or a text"


def answer(view):
    return len(view.outputs) - (view.positions or {"seattle": 0})["seattle"]
