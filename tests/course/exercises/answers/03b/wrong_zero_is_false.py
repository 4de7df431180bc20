"""Takes offset 0 for nothing."""

REASON = "it says 1, and a worker still has the record at offset 0"


def answer(began, handed_out, finished):
    first = min(set(handed_out) - set(finished), default=None)
    return first or (handed_out[-1] + 1 if handed_out else began)
