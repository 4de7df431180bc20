"""A trace as a file for ShiViz, which draws space–time diagrams from vector clocks in a browser.

The form of the file is from ShiViz's own page, https://bestchai.bitbucket.io/shiviz/: the first line is the regular
expression that reads the events, the second one separates several executions (there is one here, so it is empty), and
then come the events. I. Beschastnikh et al., "Visualizing Distributed System Executions", ACM TOSEM 29(2), 2020.
"""

import json
from pathlib import Path

from ..clocks import VectorClock
from ..errors import BadInput, CourseError
from .events import Trace

EXPRESSION = r"(?<host>\S*) (?<clock>{.*})\n(?<lamport>\d+) (?<event>.*)"


def vector_stamps(trace):
    """Return the vector stamp of each event of a `Trace`, in the trace's order: {process: number of its events}.

    They follow from the trace's messages alone. A request that arrives twice was sent once; what was received, and
    sent by nobody that the trace knows, counts as an event of its own.
    """
    clocks, sent, stamps = {}, {}, []
    for event in trace:
        clock = clocks.setdefault(event.process, VectorClock(event.process))
        if event.kind == "receive" and _sent_as(event) in sent:
            stamps.append(clock.receive(sent[_sent_as(event)]))
            continue
        stamps.append(clock.local())
        if event.kind == "send" and event.message is not None:
            sent[event.message] = stamps[-1]
    return stamps


def _sent_as(event):
    """Return the name under which a received message was sent."""
    return (event.message or "").removesuffix("again")


def shiviz_text(trace):
    """Return a `Trace` as text in the form that ShiViz reads: its default one, with Lamport's stamp as a field.

    Raises `BadInput` for anything but a trace.
    """
    if not isinstance(trace, Trace):
        raise BadInput(f"ShiViz draws traces, and this is {str(trace)[:60]!r}; give it the trace of a run: run.trace.")
    hosts = _hosts(trace)
    lines = [EXPRESSION, ""]
    for event, stamp in zip(trace, vector_stamps(trace), strict=True):
        clock = json.dumps({hosts[process]: time for process, time in stamp.items()}, ensure_ascii=False)
        what = event.text if event.verb in (event.text, "reply", "dies") else f"{event.verb}: {event.text}"
        hour = "" if event.item is None else f" (hour {event.item})"
        lines += [f"{hosts[event.process]} {clock}", f"{event.stamp} {' '.join((what + hour).split())}"]
    return "\n".join(lines) + "\n"


def _hosts(trace):
    """Return a name without spaces for each process, no two the same: ShiViz ends a host's name at a space."""
    hosts = {}
    for process in dict.fromkeys(event.process for event in trace):
        name = host = "-".join(process.split()) or "process"
        number = 2
        while host in hosts.values():
            host, number = f"{name}-{number}", number + 1
        hosts[process] = host
    return hosts


def save_shiviz(trace, path):
    """Save a `Trace` as a file that ShiViz opens under "Upload". Returns the path.

    Raises `BadInput` for anything but a trace, `CourseError` when the file cannot be written.
    """
    text, path = shiviz_text(trace), Path(path)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as why:
        raise CourseError(
            f"The file {path} cannot be written: {why.strerror}. Choose a folder that exists and that you may write."
        ) from why
    return path
