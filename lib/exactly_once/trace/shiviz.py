"""A trace as the text of a file for ShiViz, which draws space–time diagrams from vector clocks in a browser.

The form of the file is from ShiViz's own page, https://bestchai.bitbucket.io/shiviz/. The first line is the regular
expression that reads the events. The second line separates several executions; this file has one execution, so the
line is empty. Then come the events in the form that ShiViz's default expression reads: the words first, host and
clock on the line below. The expression of this file also splits Lamport's stamp from the words, as a field of its
own. I. Beschastnikh et al., "Visualizing Distributed System Executions", ACM TOSEM 29(2), 2020.
"""

import json

from .. import clocks
from ..clocks import History
from ..clocks.formats.jsonlines import flight
from ..clocks.formats.shiviz_log import host_names
from ..errors import BadInput
from .events import Trace

EXPRESSION = r"(?<lamport>\d+) (?<event>.*)\n(?<host>\S*) (?<clock>{.*})"


def history_of(trace: Trace) -> History:
    """Return a `Trace` as a `History`: its events and messages, in the trace's order.

    A request that arrives twice was sent once. A received message without a send event in the trace counts as an
    event of its own.
    """
    events = [clocks.Event(event.process, event.kind, event.message, text=event.text) for event in trace]
    return History(flight(events))


def vector_stamps(trace: Trace) -> list[dict[str, int]]:
    """Return the vector stamp of each event of a `Trace`, in the trace's order: {process: number of its events}."""
    return list(history_of(trace).vectors)


def shiviz_text(trace: Trace) -> str:
    """Return a `Trace` as text in the form that ShiViz reads.

    Raises `BadInput` for anything but a trace.
    """
    if not isinstance(trace, Trace):
        raise BadInput(
            f"ShiViz draws traces, and this is {str(trace)[:60]!r}; give it the trace of a run: run.trace."
        )
    hosts = host_names(dict.fromkeys(event.process for event in trace))
    lines = [EXPRESSION, ""]
    for event, stamp in zip(trace, vector_stamps(trace), strict=True):
        clock = json.dumps({hosts[process]: time for process, time in stamp.items()}, ensure_ascii=False)
        plain = event.verb in (event.text, "reply", "dies") and not event.text.startswith("{")  # as a clock does
        what = event.text if plain else f"{event.verb}: {event.text}"
        hour = "" if event.item is None else f" (hour {event.item})"
        lines += [f"{event.stamp} {' '.join((what + hour).split())}", f"{hosts[event.process]} {clock}"]
    return "\n".join(lines) + "\n"
