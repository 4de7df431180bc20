WHERE = {
    "database.increment": ("crash after", "lost reply"),
    "transaction.offsets": ("crash before", "crash after"),
    "transaction.end": ("crash before",),
}


def answer(step, kind):
    return int(kind in WHERE.get(step, ()))
