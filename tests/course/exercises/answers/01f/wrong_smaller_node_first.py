# Plausible: right for two nodes that enter once.
"""The smaller node first, whatever the stamps."""

REASON = "comes before its own"


def answer(request, queue, heard):
    first = min(queue, key=lambda other: other[::-1])
    return first == request and all(stamp > request[0] for stamp in heard.values())
