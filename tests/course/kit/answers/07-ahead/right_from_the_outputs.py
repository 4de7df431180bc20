def answer(view):
    return len(view.outputs[1:]) >= view.counter
