"""Forgets that two replicas have the same write."""

REASON = "gives a version twice"


def answer(versions):
    def knows(one, other):
        return all(one.get(process, 0) >= time for process, time in other.items())

    return [
        (value, stamp)
        for value, stamp in versions
        if not any(knows(other, stamp) and other != stamp for _, other in versions)
    ]
