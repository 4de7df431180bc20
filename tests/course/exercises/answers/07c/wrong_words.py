"""Says in words what is to be done."""

REASON = "this is no action"


def answer(log, prepared):
    return ["commit what is decided"]
