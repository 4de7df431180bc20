REASON = "1 can be seen, and by the positions it should be 0"


def answer(view):
    hours = view.positions["seattle"] if view.positions else 0
    return len(view.outputs) >= hours
