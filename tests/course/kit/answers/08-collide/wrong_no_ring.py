REASON = "No schedule of these three ends in a deadlock"


def answer():
    return [("a", "b", 1), ("a", "c", 1), ("b", "c", 1)]
