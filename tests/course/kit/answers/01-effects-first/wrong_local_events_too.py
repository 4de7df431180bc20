REASON = "a local event has no message"  # Plausible: everything that is no send is taken for a receipt


def answer(events):
    sent, found = set(), []
    for event in events:
        if event.kind == "send":
            sent.add(event.message)
        elif event.message not in sent:
            found.append(event.message)
    return found
