"""Exercise 02g: a replica of a partition, leader and follower, that keeps the acknowledged records."""

from html import escape

import pandas as pd

from ... import show as drawing
from ..kinds.explored import Explored
from .replicas import Cluster, without_faults

WORLDS = (  # how often each may happen, the smallest search first
    {"writes": 1, "elections": 1},
    {"writes": 2, "elections": 1, "restarts": 1},
    {"writes": 1, "elections": 1, "restarts": 1, "lags": 1, "duplicates": 1},
    {"writes": 2, "elections": 2},
)
CALLS = (
    (
        "Replica(number, log)",
        "The broker of this number starts, for the first time or again; log is what its disk holds.",
    ),
    (
        "lead(epoch, in_sync)",
        "It leads from now on, in an epoch higher than any before; or it leads already, and in_sync has changed.",
    ),
    ("follow(epoch)", "Another broker leads from now on, in this epoch; or this broker has started again."),
    ("write(value)", "To the leader: append [epoch, value] to self.log."),
    ("fetch()", "To a follower: return a request."),
    ("serve(follower, request)", "To the leader: return the reply to a follower's request, or None."),
    ("receive(reply)", "A reply arrives, at once, late, after an election or a restart, twice, or never."),
    ("high_watermark", "Of the leader: an offset. The records of self.log below it are acknowledged."),
)


def drawn(found, title):
    """Return the picture of a run, line by line, and of the final replicas."""
    rows, acknowledged = found.shown or ((), ())
    table = pd.DataFrame(rows, columns=["broker", "role", "its log: value (epoch)"])
    lines = "".join(f"<li>{escape(line)}</li>" for line in found.lines)
    said = f"Acknowledged: {', '.join(acknowledged) or 'nothing'}."
    return drawing.Picture(
        f'<p class="eo-h">{title}</p><ol>{lines}</ol>{drawing.table_html(table)}<p><b>{said}</b></p>',
        text="\n".join([*found.lines, table.to_string(index=False), said]),
    )


def sketched():
    """Draw the times of the calls."""
    table = pd.DataFrame(CALLS, columns=["what you write", "what it is for"])
    return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))


TASK = Explored(
    answer="Replica",
    tier="challenge",
    model=Cluster,
    methods=("lead", "follow", "write", "fetch", "serve", "receive"),
    form="a class, Replica, with lead, follow, write, fetch, serve and receive",
    objects="replicas",
    worlds=WORLDS,
    states=30_000,
    first=without_faults,
    calm={"writes": 2},
    draw=drawn,
    shown="Two records, when nothing goes wrong",
    sketch=sketched,
    praise="What was acknowledged stays, whoever leads, and when nothing goes wrong any more all three logs become "
    "one. Tried were all schedules of two records and two elections; of two records, an election and a restart; and "
    "of one record, an election, a restart, a follower that lags and a reply that arrives twice ({states} "
    "states).{cut}",
)
