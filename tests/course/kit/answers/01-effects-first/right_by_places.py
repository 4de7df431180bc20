def answer(events):
    places = {(event.kind, event.message): place for place, event in enumerate(events)}
    return {
        message for (kind, message), place in places.items() if kind == "receive" and place < places["send", message]
    }
