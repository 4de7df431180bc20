REASON = "In this run 0 is gone"


def answer(stage, step, kind, amount):
    return amount if kind == "crash after" and step.startswith("store.") else 0
