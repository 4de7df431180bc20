REASON = "One that was committed earlier is left out"


def answer(store, seen):
    return all(name in store.committed for name in seen)
