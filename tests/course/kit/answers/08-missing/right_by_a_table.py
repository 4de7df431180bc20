GONE = {("ordered", "store.write"): [1], ("cas", "store.cas"): [1],
        ("halves", "store.write"): [1], ("halves", "lock.release"): [0, 1]}  # fmt: skip


def answer(stage, step, kind, amount):
    return amount * (["crash before", "crash after"].index(kind) in GONE.get((stage, step), []))
