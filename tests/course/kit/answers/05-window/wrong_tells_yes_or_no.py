REASON = "returns False"


def answer(batches, first, last):
    return any((one, other) == (first, last) for one, other, _ in batches[-5:])
