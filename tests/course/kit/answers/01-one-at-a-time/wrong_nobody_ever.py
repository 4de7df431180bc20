REASON = "yours gives False"


def answer(view):
    return not any(what == "enters" for what, *_ in view.outputs)
