REASON = "fails with TypeError"


def answer(view):
    return len(view.outputs) == view.positions["seattle"]
