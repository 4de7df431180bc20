REASON = "not all of them"


def answer(events):
    return [
        one.message
        for one, other in zip(events, events[1:], strict=False)
        if one.kind == "receive" and other.kind == "send" and one.message == other.message
    ]
