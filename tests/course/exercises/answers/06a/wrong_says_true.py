"""Says True and False."""

REASON = "say one of 'accept'"


def answer(request, epoch, known):
    return known is None or epoch >= known
