"""One smaller entry is enough."""

REASON = "and it should be 'concurrent'"


def answer(one, other):
    def less(first, second):
        return any(first.get(process, 0) < second.get(process, 0) for process in {*first, *second})

    return "before" if less(one, other) else "after" if less(other, one) else "same"
