REASON = "surplus('transaction.end', 'crash after') returns 1"


def answer(step, kind):
    if step == "database.increment":
        return int(kind in ("crash after", "lost reply"))
    return int(step != "transaction.send" and kind.startswith("crash"))
