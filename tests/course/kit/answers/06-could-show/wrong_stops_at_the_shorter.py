REASON = "is not committed"


def answer(store, seen):
    return all(one == other for one, other in zip(store.committed, seen, strict=False))
