"""Every entry must be strictly smaller."""

REASON = "and it should be 'before'"


def answer(one, other):
    def less(first, second):
        return all(first.get(process, 0) < second.get(process, 0) for process in {*first, *second})

    return "same" if one == other else "before" if less(one, other) else "after" if less(other, one) else "concurrent"
