from exactly_once.course.kit import gap


def effects_first(events):
    ### BEGIN SOLUTION
    sent, found = set(), []
    for event in events:
        if event.kind == "send":
            sent.add(event.message)
        if event.kind == "receive" and event.message not in sent:
            found.append(event.message)
    return found
    ### END SOLUTION


filled = gap("01-effects-first", effects_first)
filled
