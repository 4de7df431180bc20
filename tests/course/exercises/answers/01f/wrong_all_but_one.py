"""The colleague's: all but one."""

REASON = "in the critical section at once"


def answer(request, queue, heard):
    later = [node for node, stamp in heard.items() if stamp > request[0]]
    return min(queue) == request and len(later) >= len(heard) - 1
