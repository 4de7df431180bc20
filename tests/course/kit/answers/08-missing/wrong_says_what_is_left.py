REASON = "returns 3"


def answer(stage, step, kind, amount):
    gone = step in ("store.write", "store.cas") and kind == "crash after"
    return 10 - amount if gone or (stage, step) == ("halves", "lock.release") else 0
