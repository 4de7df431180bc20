REASON = "returns False"


def answer(view):
    return len(view.outputs) == sum((view.positions or {}).values())
