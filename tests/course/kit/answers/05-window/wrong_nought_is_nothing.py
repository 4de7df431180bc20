REASON = "it should return 0"


def answer(batches, first, last):
    for one, other, offset in batches[-5:]:
        if (one, other) == (first, last):
            return offset or None
    return None
