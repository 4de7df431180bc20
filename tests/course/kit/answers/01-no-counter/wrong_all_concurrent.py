from itertools import permutations

REASON = "a did not happen before c"


def answer(run):
    for a, b, c in permutations(range(len(run)), 3):
        if run.concurrent(a, b) and run.concurrent(b, c):
            return a, b, c
    return None
