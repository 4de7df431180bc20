REASON = "view.outputs is [], view.counter is 0"


def answer(view):
    return view.counter <= len(view.outputs) - 1
