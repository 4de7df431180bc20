REASON = "missing('ordered', 'store.write', 'crash after', 7) returns 0"


def answer(stage, step, kind, amount):
    if stage in ("transaction", "ordered"):
        return 0
    withdrawn = step in ("store.write", "store.cas") and kind == "crash after"
    return amount if withdrawn or step == "lock.release" else 0
