REASON = "besides"  # Plausible: a message that nobody has received when its send stands there


def answer(events):
    received, found = set(), []
    for event in reversed(events):
        if event.kind == "receive":
            received.add(event.message)
        elif event.kind == "send" and event.message not in received:
            found.append(event.message)
    return found
