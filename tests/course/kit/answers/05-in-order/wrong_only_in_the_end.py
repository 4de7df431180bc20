REASON = "is still at work. The promise is broken"


def answer(view):
    return not view.done or list(view.outputs) == [1, 2, 3, 4]
