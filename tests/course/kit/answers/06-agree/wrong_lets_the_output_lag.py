REASON = "0 can be seen, and by the positions it should be 1"


def answer(view):
    hours = view.positions["seattle"] if view.positions else 0
    return len(view.outputs) <= hours
