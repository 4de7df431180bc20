REASON = "seen twice"


def answer(store, seen):
    left = list(store.committed)
    while seen and left and seen[0] == left[0]:
        seen = [name for name in seen if name != left[0]]
        left.pop(0)
    return not seen
