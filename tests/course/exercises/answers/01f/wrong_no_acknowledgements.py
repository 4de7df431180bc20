"""The queue alone."""

REASON = "in the critical section at once"


def answer(request, queue, heard):
    return min(queue) == request
