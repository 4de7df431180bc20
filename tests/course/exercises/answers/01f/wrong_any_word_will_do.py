"""Something was heard from everybody, however early."""

REASON = "in the critical section at once"


def answer(request, queue, heard):
    return min(queue) == request and all(heard.values())
