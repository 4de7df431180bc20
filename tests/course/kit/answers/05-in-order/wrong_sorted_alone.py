REASON = "record 1 is there twice"


def answer(view):
    return list(view.outputs) == sorted(view.outputs)
