"""Says in words what is to be done."""

REASON = "give ('record', id, state)"


def answer(records, now):
    return [f"complete {name}" for name, t in dict(records).items()]
