REASON = "it should return None"


def answer(batches, first, last):
    return next((offset for one, other, offset in batches[-5:] if one <= first and last <= other), None)
