from itertools import permutations

REASON = "a did not happen before c"


# Plausible: that a and c are not concurrent leaves open which of them came first
def answer(run):
    for a, b, c in permutations(range(len(run)), 3):
        if run.concurrent(a, b) and run.concurrent(b, c) and not run.concurrent(a, c):
            return a, b, c
    return None
