"""At most, without asking the other way."""

REASON = "and it should be 'same'"


def answer(one, other):
    def at_most(first, second):
        return all(time <= second.get(process, 0) for process, time in first.items())

    return {
        (True, True): "before",
        (True, False): "before",
        (False, True): "after",
        (False, False): "concurrent",
    }[at_most(one, other), at_most(other, one)]
