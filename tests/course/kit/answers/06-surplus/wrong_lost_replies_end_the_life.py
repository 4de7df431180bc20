REASON = "surplus('transaction.offsets', 'lost request') returns 1"


def answer(step, kind):
    if step == "transaction.offsets":
        return 1
    return int((step, kind) in (("database.increment", "crash after"), ("database.increment", "lost reply")))
