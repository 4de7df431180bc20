REASON = "the log holds it once"


def answer(retry, kind):
    appended = kind in ("lost request", "crash before")
    return appended + (retry == "retry")
