"""From the vector clocks of a log to a history: the clock of each event shows the messages before it.

A clock that counts more of another host's events than the one before it has heard of the newest of them. The arrows
are those that ShiViz draws: I. Beschastnikh et al., "Visualizing Distributed System Executions", ACM TOSEM 29(2),
2020.
"""

from collections import Counter, defaultdict

from ...errors import BadInput, whole
from ..history import Event, History
from .clock_lines import shortened


def history_of(records):
    """Return the `History` of a log's `Record`s; a host's own order is that of its clock, wherever its lines stand.

    A clock that lacks an entry of its causes is completed, and `History.completed` counts it. Raises `BadInput` with
    the line for entries that are no whole numbers of at least 0, own entries that do not count 1, 2, 3, …, hosts that
    have no events, and events that are counted and not there.
    """
    records, rows = _in_own_order([record._replace(clock=_entries(record)) for record in records])
    arrows = []
    for row in rows.values():
        known = Counter()
        for place in row:
            arrows += [(cause, place) for cause in _causes(records, rows, place, known)]
    history = History(*_events(records, arrows))
    history.completed = sum(record.clock != vector for record, vector in zip(records, history.vectors, strict=True))
    return history


def _entries(record):
    for host, time in record.clock.items():
        if type(time) is not int or time < 0:
            whole(f"Line {record.line}: the entry of {shortened(host)}", time)
    if not record.clock[record.host]:
        raise BadInput(
            f"Line {record.line}: the clock of {shortened(record.host)} stands at 0 at an event of its own; count "
            "the event in: the first one has 1."
        )
    return {host: time for host, time in record.clock.items() if time}


def _in_own_order(records):
    """Return the records with each host's in the order of its own clock, and the places of each host's.

    They take the places that the host's lines have, so the rest of the log stays as it is.
    """
    rows = defaultdict(list)
    for place, record in enumerate(records):
        rows[record.host].append(place)
    ordered = list(records)
    for host, row in rows.items():
        own = sorted((records[place] for place in row), key=lambda record: record.clock[host])
        for number, (place, record) in enumerate(zip(row, own, strict=True), 1):
            ordered[place] = record
            if record.clock[host] != number:
                raise _gap(host, own, number)
    return ordered, rows


def _gap(host, own, number):
    record = own[number - 1]
    time, name = record.clock[host], shortened(host)
    if number > 1 and time == number - 1:
        return BadInput(
            f"Line {record.line}: the clock of {name} stands at {time} again, as on line {own[number - 2].line}; "
            "each event of a host counts one more. Two executions in one file need a line === name === between them."
        )
    before = f"after {number - 1}, on line {own[number - 2].line}" if number > 1 else "at the host's first event"
    return BadInput(
        f"Line {record.line}: the clock of {name} stands at {time} {before}; each event of a host counts one "
        "more, from 1. Log all of its events."
    )


def _causes(records, rows, place, known):
    """Return the places of the newest events of other hosts that this one knows, less those known through another.

    `known` is what its host has heard, and is brought up to date.
    """
    record, heard = records[place], []
    for host, time in record.clock.items():
        if host != record.host and time > known[host]:
            if time > len(rows.get(host, ())):
                raise _unknown(record, host, time, rows)
            known[host] = time
            heard.append((host, time, rows[host][time - 1]))
    return [
        cause
        for host, time, cause in heard
        if not any(records[other].clock.get(host, 0) >= time for _, _, other in heard if other != cause)
    ]


def _unknown(record, host, time, rows):
    if host not in rows:
        known = ", ".join(map(str, list(rows)[:4]))
        return BadInput(
            f"Line {record.line}: the clock counts {time} events of {shortened(host)}, an unknown process: the log "
            f"has events of {known}. Put the logs of all processes into one file."
        )
    return BadInput(
        f"Line {record.line}: the clock counts {time} events of {shortened(host)}, and the log has "
        f"{len(rows[host])}. "
        "Log all of its events."
    )


def _events(records, arrows):
    """Return events and arrows for a `History`; where each event has one arrow at most, names of messages instead."""
    sends, receives = Counter(send for send, _ in arrows), Counter(receive for _, receive in arrows)
    plain = all(sends[place] + receives[place] < 2 for place in range(len(records)))
    names = {place: f"m{n}" for n, arrow in enumerate(sorted(arrows), 1) for place in arrow} if plain else {}
    events = [
        Event(
            record.host,
            "receive" if receives[place] else "send" if sends[place] else "local",
            names.get(place),
            text=record.text,
            line=record.line,
        )
        for place, record in enumerate(records)
    ]
    return events, None if plain else sorted(arrows)
