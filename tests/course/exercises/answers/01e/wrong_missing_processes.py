# Plausible: right for one process.
"""A process that is missing in a row."""

REASON = "A process that a stamp does not name counts as 0"


def answer(one, other):
    def at_most(first, second):
        return all(time <= second[process] for process, time in first.items())

    return {
        (True, True): "same",
        (True, False): "before",
        (False, True): "after",
        (False, False): "concurrent",
    }[at_most(one, other), at_most(other, one)]
