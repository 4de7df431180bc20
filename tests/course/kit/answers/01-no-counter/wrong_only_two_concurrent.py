from itertools import permutations

REASON = "they are not concurrent"


def answer(run):
    for a, b, c in permutations(range(len(run)), 3):
        if run.concurrent(a, b) and run.happened_before(a, c):
            return a, b, c
    return None
