REASON = "fails with IndexError"


def answer(store, seen):
    return seen[-1] in store.committed and store.committed[: len(seen)] == tuple(seen)
