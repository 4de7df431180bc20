REASON = "is not committed"


def answer(store, seen):
    return len(seen) <= len(store.committed)
