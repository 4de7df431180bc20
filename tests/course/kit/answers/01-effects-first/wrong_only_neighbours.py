from itertools import pairwise

REASON = "not all of them"


def answer(events):
    return [
        one.message
        for one, other in pairwise(events)
        if one.kind == "receive" and other.kind == "send" and one.message == other.message
    ]
