"""Forgets that nothing may be known."""

REASON = "fails with TypeError"


def answer(request, epoch, known):
    if request == "add":
        return "accept" if epoch == known else "PRODUCER_FENCED"
    return "accept" if epoch >= known + (request == "marker") else "INVALID_PRODUCER_EPOCH"
