REASON = "Your lines fail: AttributeError"


def answer(events):
    return [event.message for event in events if event.sort == "receive"]
