REASON = "IndexError"


def answer(view):
    return view.outputs[-1] not in view.outputs[:-1]
