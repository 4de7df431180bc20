REASON = "surplus('database.increment', 'lost reply') returns 0"


def answer(step, kind):
    if step == "database.increment":
        return int(kind == "crash after")
    if step == "transaction.offsets":
        return int(kind.startswith("crash"))
    return int((step, kind) == ("transaction.end", "crash before"))
