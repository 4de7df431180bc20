def answer(run):
    pairs = {pair for one, other in run.pairs() for pair in ((one, other), (other, one))}
    for a, b in pairs:
        for also, c in pairs:
            if also == b and a != c and run.path(a, c):
                return a, b, c
    return None
