# Plausible: it is the rule for batches.
"""Compares all three with >=."""

REASON = "Nobody can have got 1 from it"


def answer(request, epoch, known):
    if known is None:
        return "INVALID_PRODUCER_ID_MAPPING" if request == "add" else "accept"
    if epoch >= known:
        return "accept"
    return "PRODUCER_FENCED" if request == "add" else "INVALID_PRODUCER_EPOCH"
