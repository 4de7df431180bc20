# Plausible: right for two nodes.
"""Something later from anybody."""

REASON = "With 3 nodes"


def answer(request, queue, heard):
    return min(queue) == request and any(stamp > request[0] for stamp in heard.values())
