REASON = "of the 1 hours 0 may be counted, and 1 are"


def answer(view):
    return view.counter <= len(view.outputs)
