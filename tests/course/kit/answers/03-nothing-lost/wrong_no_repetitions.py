REASON = "repetitions are allowed"


def answer(view):
    return not view.done or view.outputs == [1, 2, 3]
