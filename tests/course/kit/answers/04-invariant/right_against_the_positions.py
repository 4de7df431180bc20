def answer(view):
    done = (view.positions or {"seattle": 0})["seattle"]
    return len(view.outputs) <= done + 1 and len(set(view.outputs)) == len(view.outputs)
