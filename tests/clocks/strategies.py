"""Histories for the property tests, made event by event, and their causality by plain reachability."""

from hypothesis import strategies as st

from exactly_once.clocks import Event, History


@st.composite
def logs(draw, most=14):
    """Return events in an order in which they can happen: messages overtake, get lost, and arrive twice."""
    processes = draw(st.lists(st.text(min_size=1, max_size=6).filter(str.strip), min_size=1, max_size=4, unique=True))
    events, travelling, arrived = [], [], []
    for number in range(draw(st.integers(0, most))):
        process = draw(st.sampled_from(processes))
        kind = draw(st.sampled_from(["local", "send", "receive", "redelivery"]))
        if kind == "receive" and travelling:
            message = draw(st.sampled_from(travelling))
            travelling.remove(message)
            arrived.append(message)
            events.append(Event(process, "receive", message))
        elif kind == "redelivery" and arrived:
            events.append(Event(process, "receive", draw(st.sampled_from(arrived)), redelivery=True))
        elif kind == "send":
            travelling.append(f"m{number}")
            events.append(Event(process, "send", f"m{number}"))
        else:
            events.append(Event(process, "local"))
    return events


histories = logs().map(History)


def reaches(events):
    """Return for each event the set of places from which arrows lead to it, by closure over the plain graph."""
    edges = {place: set() for place in range(len(events))}
    for place, event in enumerate(events):
        for other, earlier in enumerate(events):
            same = earlier.process == event.process and other < place
            sent = event.kind == "receive" and earlier.kind == "send" and earlier.message == event.message
            if same or sent:
                edges[place].add(other)
    before = {}

    def past(place):
        if place not in before:
            before[place] = set()
            for cause in edges[place]:
                before[place] |= {cause} | past(cause)
        return before[place]

    return [past(place) for place in range(len(events))]


def by_process(events):
    """Return the log of each process."""
    rows = {}
    for event in events:
        rows.setdefault(event.process, []).append(event)
    return rows
