REASON = "One that was committed earlier is left out"


def answer(store, seen):
    return set(seen) <= set(store.committed) and len(set(seen)) == len(seen)
