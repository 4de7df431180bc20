# Plausible: right where all stamps name the same processes.
"""A process that is missing is left out of the comparison, instead of counting as 0."""

REASON = "is lost, and nobody is told"


def answer(versions):
    def replaced(one, other):
        common = one.keys() & other.keys()
        return one != other and all(one[process] <= other[process] for process in common)

    found = [each for each in versions if not any(replaced(each[1], other) for _, other in versions)]
    return [each for place, each in enumerate(found) if each not in found[:place]]
