REASON = "the log holds it twice"


def answer(retry, kind):
    return 1 if retry == "retry" else int(kind in ("lost reply", "crash after"))
