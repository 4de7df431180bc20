REASON = "3 can be seen, and by the positions it should be 3"


def answer(view):
    hours = view.positions["seattle"] if view.positions else 0
    return len(set(view.outputs)) == hours
