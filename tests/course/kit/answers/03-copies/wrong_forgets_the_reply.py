REASON = "the log holds it twice"


def answer(retry, kind):
    if retry == "retry":
        return 2 if kind == "crash after" else 1
    return 1 if kind in ("lost reply", "crash after") else 0
