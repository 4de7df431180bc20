"""Has one name for all refusals."""

REASON = "The coordinator refuses it under another name, PRODUCER_FENCED"


def answer(request, epoch, known):
    if request == "add":
        return "accept" if epoch == known else "INVALID_PRODUCER_EPOCH"
    if known is None or epoch > known or (request == "append" and epoch == known):
        return "accept"
    return "INVALID_PRODUCER_EPOCH"
