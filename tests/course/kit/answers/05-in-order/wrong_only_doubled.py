REASON = "if record 2 comes, it comes behind it"


def answer(view):
    lost = view.done and len(set(view.outputs)) < 4
    return not lost and len(view.outputs) == len(set(view.outputs))
