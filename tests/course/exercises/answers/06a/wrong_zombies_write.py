"""Fences at the coordinator alone."""

REASON = "is a zombie: what it writes now would stand in the transaction of its successor"


def answer(request, epoch, known):
    if request == "add":
        if known is None:
            return "INVALID_PRODUCER_ID_MAPPING"
        return "accept" if epoch == known else "PRODUCER_FENCED"
    return "accept"
