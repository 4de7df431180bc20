REASON = "readers may lag behind"


def answer(store, seen):
    return tuple(seen) == store.committed
