"""From events with named messages to arrows between them, and to an order with every cause before its effect."""

from collections import deque

from ...errors import BadInput, one_of

KINDS = ("local", "send", "receive")


def where(event, place):
    """Return how an error names an event: by its line in a file, or else by its number and its process."""
    return f"Line {event.line}" if event.line else f"Event {place + 1} (on {str(event.process)[:40]!r})"


def paired(events):
    """Return the arrows of `events` as pairs of places (send, receive), in the order of the receives.

    Raises `BadInput` for the first event that cannot be: of no process, of no kind, a send or a receive without a
    message's name, a message sent twice, received and never sent, or received twice and not marked as a redelivery.
    """
    sent, first, arrows = {}, {}, []
    for place, event in enumerate(events):
        _checked(event, place)
        if event.kind == "send":
            if event.message in sent:
                raise BadInput(
                    f"{where(event, place)}: the message {_short(event.message)} was sent before, at "
                    f"{_other(events, sent[event.message])}; a name belongs to one send, so give each its own."
                )
            sent[event.message] = place
    for place, event in enumerate(events):
        if event.kind != "receive":
            continue
        if event.message not in sent:
            raise BadInput(
                f"{where(event, place)}: the message {_short(event.message)} is received, and nobody sends it; add "
                "its send, or make the event local."
            )
        if not event.redelivery and event.message in first:
            raise BadInput(
                f"{where(event, place)}: the message {_short(event.message)} was received before, at "
                f'{_other(events, first[event.message])}; mark a redelivery with "redelivery": true, or give the '
                "second delivery a send and a name of its own."
            )
        if not event.redelivery:
            first[event.message] = place
        arrows.append((sent[event.message], place))
    return arrows


def _checked(event, place):
    spot = where(event, place)
    if not isinstance(event.process, str) or not event.process.strip():
        raise BadInput(f"{spot}: the process is {_short(event.process)}; give its name.")
    one_of(f"{spot}: the kind", event.kind, KINDS)
    if event.kind == "local":
        if event.message is not None:
            raise BadInput(
                f"{spot}: a local event has the message {_short(event.message)}; it has none, or it is a send or a "
                "receive."
            )
    elif not isinstance(event.message, str) or not event.message:
        raise BadInput(f"{spot}: the message of a {event.kind} is {_short(event.message)}; give the message's name.")
    if not isinstance(event.redelivery, bool):
        raise BadInput(f"{spot}: redelivery is {_short(event.redelivery)}; it is true or false.")
    if event.redelivery and event.kind != "receive":
        raise BadInput(f"{spot}: a {event.kind} event is marked as a redelivery; only a receive can be one.")


def _other(events, place):
    text = where(events[place], place)
    return text[0].lower() + text[1:]


def _short(value):
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def causal_order(events, previous, senders):
    """Return all places so that each event comes after its causes (A. Kahn, CACM 5(11), 1962), earliest place first.

    Raises `BadInput` that names a cycle when some event is among its own causes.
    """
    effects, waiting = [[] for _ in events], [0] * len(events)
    for place, sends in enumerate(senders):
        for cause in {*sends, previous[place]} - {None}:
            effects[cause].append(place)
            waiting[place] += 1
    ready, order = deque(place for place, count in enumerate(waiting) if not count), []
    while ready:
        place = ready.popleft()
        order.append(place)
        for effect in effects[place]:
            waiting[effect] -= 1
            if not waiting[effect]:
                ready.append(effect)
    if len(order) < len(events):
        raise BadInput(_cycle(events, previous, senders, waiting))
    return tuple(order)


def _cycle(events, previous, senders, waiting):
    """Return the sentence about a cycle: each event that waits has a cause that waits, so going back must close."""
    place, seen = next(place for place, count in enumerate(waiting) if count), {}
    while place not in seen:
        seen[place] = len(seen)
        place = next(cause for cause in (*senders[place], previous[place]) if cause is not None and waiting[cause])
    around = [each for each, number in seen.items() if number >= seen[place]][::-1]
    around = around[around.index(min(around)) :] + around[: around.index(min(around))]
    names = [_other(events, each) for each in around]
    if len(names) > 6:
        names = [*names[:3], f"{len(names) - 5} more", *names[-2:]]
    chain = " → ".join([*names, _other(events, around[0])])
    return (
        f"{where(events[around[0]], around[0])}: this event would have to happen before itself: {chain} (each is the "
        "next of its process, or receives what the one before it sends). Put the events of each process in the order "
        "in which they happened."
    )
