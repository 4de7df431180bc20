"""True or false in place of a word."""

REASON = "gives True; it gives one of"


def answer(one, other):
    return all(time <= other.get(process, 0) for process, time in one.items())
