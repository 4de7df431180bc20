def answer(view):
    entered = sum(what == "enters" for what, *_ in view.outputs)
    return entered - (len(view.outputs) - entered) < 2
