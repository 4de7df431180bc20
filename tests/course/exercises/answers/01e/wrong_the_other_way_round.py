"""Before and after exchanged."""

REASON = "and it should be 'before'"


def answer(one, other):
    def at_most(first, second):
        return all(time <= second.get(process, 0) for process, time in first.items())

    return {
        (True, True): "same",
        (True, False): "after",
        (False, True): "before",
        (False, False): "concurrent",
    }[at_most(one, other), at_most(other, one)]
