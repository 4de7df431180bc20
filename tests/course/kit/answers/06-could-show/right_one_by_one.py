def answer(store, seen):
    left = list(store.committed)
    while seen and left and seen[0] == left[0]:
        seen, left = seen[1:], left[1:]
    return not seen
