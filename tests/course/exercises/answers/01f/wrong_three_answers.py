"""Waits for three others, of whom there are two."""

REASON = "waits for ever"


def answer(request, queue, heard):
    later = sum(stamp > request[0] for stamp in heard.values())
    return min(queue) == request and later >= 3
