"""Every entry at most, asked both ways."""


def answer(one, other):
    def at_most(first, second):
        return all(time <= second.get(process, 0) for process, time in first.items())

    return {
        (True, True): "same",
        (True, False): "before",
        (False, True): "after",
        (False, False): "concurrent",
    }[at_most(one, other), at_most(other, one)]
