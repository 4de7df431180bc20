"""Equal stamps are forgotten."""

REASON = "in the critical section at once"


def answer(request, queue, heard):
    first = min(stamp for stamp, _ in queue)
    return request[0] == first and all(stamp > first for stamp in heard.values())
