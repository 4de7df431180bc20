REASON = "missing('halves', 'lock.release', 'crash before', 7) returns 0"


def answer(stage, step, kind, amount):
    return amount if step in ("store.write", "store.cas") and kind == "crash after" else 0
