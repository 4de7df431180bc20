REASON = "a record is lost"


def answer(view):
    return not view.done or 3 in view.outputs
