def answer(view):
    return True if not view.counter or view.counter < len(view.outputs) else "ahead"
