REASON = "it gives a list"


def answer(events):
    return sum(event.kind == "receive" for event in events)
