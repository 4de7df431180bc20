REASON = "Two of them are enough"


def answer():
    return [("a", "b", 1), ("b", "a", 1), ("c", "a", 1)]
