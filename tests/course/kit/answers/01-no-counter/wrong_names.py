from itertools import permutations

REASON = "give three different places"


def answer(run):
    for a, b, c in permutations(range(len(run)), 3):
        if run.concurrent(a, b) and run.concurrent(b, c) and run.happened_before(a, c):
            return run.name(a), run.name(b), run.name(c)
    return None
