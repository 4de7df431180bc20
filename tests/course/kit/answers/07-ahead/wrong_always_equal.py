REASON = "view.counter is 0"


def answer(view):
    return view.counter == max(0, len(view.outputs) - 1)
