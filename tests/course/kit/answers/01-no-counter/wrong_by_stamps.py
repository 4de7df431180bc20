from itertools import permutations

REASON = "yours finds none"  # Plausible: that concurrent events have equal stamps


def answer(run):
    for a, b, c in permutations(range(len(run)), 3):
        if run.lamport[a] == run.lamport[b] == run.lamport[c] and run.happened_before(a, c):
            return a, b, c
    return None
