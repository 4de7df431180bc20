"""Entry by entry."""


def answer(versions):
    def knows(one, other):
        return all(one.get(process, 0) >= time for process, time in other.items())

    result = []
    for value, stamp in versions:
        newer = any(knows(other, stamp) and other != stamp for _, other in versions)
        if not newer and (value, stamp) not in result:
            result.append((value, stamp))
    return result
