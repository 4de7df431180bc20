REASON = "One that was committed earlier is left out"


def answer(store, seen):
    left = iter(store.committed)
    return all(name in left for name in seen)
