REASON = "a record is lost"


def answer(view):
    return not view.done or len(view.outputs) >= 3
