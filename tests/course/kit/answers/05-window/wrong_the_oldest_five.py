REASON = "it should return"


def answer(batches, first, last):
    return next((offset for one, other, offset in batches[:5] if (one, other) == (first, last)), None)
