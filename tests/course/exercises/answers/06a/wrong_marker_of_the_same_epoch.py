"""Takes a marker with the epoch of the data, as the classic protocol does."""

REASON = "is late, from an earlier transaction, and would end the one that is open"


def answer(request, epoch, known):
    if request == "add":
        if known is None:
            return "INVALID_PRODUCER_ID_MAPPING"
        return "accept" if epoch == known else "PRODUCER_FENCED"
    return "accept" if known is None or epoch >= known else "INVALID_PRODUCER_EPOCH"
