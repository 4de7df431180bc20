"""A write that came twice is dropped as known to the other copy."""

REASON = "drops p1.1"


def answer(versions):
    def knows(one, other):
        return all(one.get(process, 0) >= time for process, time in other.items())

    return [
        each
        for place, each in enumerate(versions)
        if not any(knows(other, each[1]) for at, (_, other) in enumerate(versions) if at != place)
    ]
