REASON = "the log holds it once"


def answer(retry, kind):
    appended = kind in ("lost reply", "crash before", "crash after")
    return appended + (retry == "retry")
