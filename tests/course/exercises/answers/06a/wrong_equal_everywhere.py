# Plausible: right wherever nobody has been fenced.
"""Compares all three with ==."""

REASON = "carries a higher one than the data"


def answer(request, epoch, known):
    if known is None:
        return "INVALID_PRODUCER_ID_MAPPING" if request == "add" else "accept"
    if epoch == known:
        return "accept"
    return "PRODUCER_FENCED" if request == "add" else "INVALID_PRODUCER_EPOCH"
