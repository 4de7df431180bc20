REASON = "It returns True or False"


def answer(store, seen):
    return [name for name in seen if name in store.committed]
