REASON = "the log holds it not at all"


def answer(retry, kind):
    return 2 if kind in ("lost reply", "crash after") and retry == "retry" else 1
