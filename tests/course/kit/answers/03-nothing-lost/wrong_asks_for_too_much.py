REASON = "your rule fails with"


def answer(view):
    return not view.done or view.log >= {1, 2, 3}
