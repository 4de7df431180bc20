"""The acknowledgements alone."""

REASON = "in the critical section at once"


def answer(request, queue, heard):
    return all(stamp > request[0] for stamp in heard.values())
