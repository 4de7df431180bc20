REASON = "another order"


def answer(store, seen):
    return set(seen) == set(store.committed[: len(seen)]) and len(seen) <= len(store.committed)
