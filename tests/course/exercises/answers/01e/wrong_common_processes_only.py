"""Only the processes that both rows name."""

REASON = "A process that a stamp does not name counts as 0"


def answer(one, other):
    common = one.keys() & other.keys()
    less = any(one[process] < other[process] for process in common)
    more = any(one[process] > other[process] for process in common)
    return "concurrent" if less and more else "before" if less else "after" if more else "same"
