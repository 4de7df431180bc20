REASON = "this one pushes 1 2 1"


def answer(view):
    return all(one != following for one, following in zip(view.outputs, view.outputs[1:], strict=False))
