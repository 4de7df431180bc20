REASON = "surplus('transaction.send', 'crash before') returns 1"


def answer(step, kind):
    return int(kind.startswith("crash"))
