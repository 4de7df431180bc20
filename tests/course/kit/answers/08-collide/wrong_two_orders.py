REASON = "give a list of three orders"


def answer():
    return [("a", "b", 1), ("b", "a", 1)]
