REASON = "ends with another"


def answer(batches, first, last):
    return next((offset for one, _, offset in batches[-5:] if one == first), None)
