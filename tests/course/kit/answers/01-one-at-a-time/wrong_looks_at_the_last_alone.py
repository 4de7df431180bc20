REASON = "and your lines fail: IndexError"


def answer(view):
    return view.outputs[-1][0] == "leaves" or view.outputs[-2][0] == "leaves"
