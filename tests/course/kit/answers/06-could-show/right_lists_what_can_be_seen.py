import itertools


def answer(store, seen):
    lagging = {(), *itertools.accumulate((name,) for name in store.committed)}
    return tuple(seen) in lagging
