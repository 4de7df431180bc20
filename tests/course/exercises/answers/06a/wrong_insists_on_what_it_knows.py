"""Refuses a producer's first batch in a partition."""

REASON = "this is its first batch"


def answer(request, epoch, known):
    if request == "add":
        if known is None:
            return "INVALID_PRODUCER_ID_MAPPING"
        return "accept" if epoch == known else "PRODUCER_FENCED"
    if known is None:
        return "INVALID_PRODUCER_EPOCH"
    return "accept" if epoch >= known + (request == "marker") else "INVALID_PRODUCER_EPOCH"
