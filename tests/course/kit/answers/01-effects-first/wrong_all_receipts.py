REASON = "besides"


def answer(events):
    return [event.message for event in events if event.kind == "receive"]
