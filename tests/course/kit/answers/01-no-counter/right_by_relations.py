from itertools import product


def answer(run):
    places = range(len(run))
    for c, b, a in product(places, repeat=3):
        said = run.relation(a, b), run.relation(b, c), run.relation(a, c)
        if said == ("concurrent", "concurrent", "before"):
            return [a, b, c]
    return None
