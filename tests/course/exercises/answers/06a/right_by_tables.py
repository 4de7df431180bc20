"""Compares with the smallest and the largest epoch that each request may carry."""

ALLOWED = {
    "append": lambda known: (known, 2**15),
    "add": lambda known: (known, known),
    "marker": lambda known: (known + 1, 2**15),
}
UNKNOWN = {"append": "accept", "add": "INVALID_PRODUCER_ID_MAPPING", "marker": "accept"}


def answer(request, epoch, known):
    if known is None:
        return UNKNOWN[request]
    least, most = ALLOWED[request](known)
    if least <= epoch <= most:
        return "accept"
    return "PRODUCER_FENCED" if request == "add" else "INVALID_PRODUCER_EPOCH"
