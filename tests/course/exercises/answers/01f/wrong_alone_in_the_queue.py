"""Enters only when nobody else wants to."""

REASON = "waits for ever"


def answer(request, queue, heard):
    return queue == [request] and all(stamp > request[0] for stamp in heard.values())
