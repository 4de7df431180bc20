REASON = "3 averages in the output"


def answer(view):
    return len(view.outputs) <= 2
