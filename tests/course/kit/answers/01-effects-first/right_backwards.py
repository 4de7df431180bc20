def answer(events):
    received_later, found = set(), []
    for event in reversed(events):
        if event.kind == "receive":
            received_later.add(event.message)
        elif event.kind == "send" and event.message not in received_later:
            found.append(event.message)
    lost = found  # sent, and not received after that: never, or before
    received = {event.message for event in events if event.kind == "receive"}
    return [message for message in lost if message in received]
