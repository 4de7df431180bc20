REASON = "what is not there yet may still come"


def answer(view):
    return set(view.outputs) >= {1, 2, 3}
