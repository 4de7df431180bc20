"""Lets the coordinator add to a producer that it has never heard of."""

REASON = "there is no epoch to compare with"


def answer(request, epoch, known):
    if known is None:
        return "accept"
    if request == "add":
        return "accept" if epoch == known else "PRODUCER_FENCED"
    return "accept" if epoch >= known + (request == "marker") else "INVALID_PRODUCER_EPOCH"
