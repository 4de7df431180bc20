REASON = "the log holds it twice"


def answer(rule, kind):
    return 2 if rule == "no rule" and kind in ("lost reply", "crash after") else 1
