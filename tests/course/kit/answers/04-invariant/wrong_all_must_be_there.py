REASON = "with no averages in the output"


def answer(view):
    return len(set(view.outputs)) == 2
