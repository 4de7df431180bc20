"""Compares neighbours only."""

REASON = "gives a version twice"


def answer(versions):
    def knows(one, other):
        return all(one.get(process, 0) >= time for process, time in other.items())

    result = []
    for value, stamp in versions:
        if result and knows(result[-1][1], stamp):
            continue
        if result and knows(stamp, result[-1][1]):
            result.pop()
        result.append((value, stamp))
    return result
