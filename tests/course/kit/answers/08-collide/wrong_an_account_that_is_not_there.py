REASON = "name two of a, b, c"


def answer():
    return [("a", "b", 1), ("b", "d", 1), ("d", "a", 1)]
