REASON = "two are inside at once, and yours gives True"  # Plausible: an invariant holds at every moment


def answer(view):
    if not view.done:
        return True
    return [what for what, *_ in view.outputs][::2].count("enters") == len(view.outputs) / 2
