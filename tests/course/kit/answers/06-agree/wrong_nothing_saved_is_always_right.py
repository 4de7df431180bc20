REASON = "Your invariant returns True"


def answer(view):
    return not view.positions or len(view.outputs) == view.positions["seattle"]
