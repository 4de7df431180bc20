"""Exercise 05e, a challenge: a broker that survives a hostile network, retention, and its own deaths.

Sources: KIP-98 for the numbers and epochs, KIP-360 for the state that has to outlive a producer's records.
"""

from html import escape

import pandas as pd

from ... import show as drawing
from ..kinds.explored import Explored
from .hostile import Hostile, in_order, world

WORLDS = (  # the smallest that shows a mistake stands first
    world(p7=[[1]]),
    world(p7=[[1, 1]]),
    world(p7=[[2, 1, 1]]),
    world(p7=[[1]], p9=[[2]]),
    world(p7=[[1], [1]]),
    world(p7=[[1]], deletions=1),
    world(p7=[[1, 2]], deletions=1),
    world(p7=[[1, 1], [2, 1]]),
    world(p7=[[1], [1]], deletions=1),
    world(p7=[[1, 1]], p9=[[1]], deletions=1),
    world(p7=[[1, 1, 1]], deletions=2),
    world(p7=[[1, 1], [1]], p9=[[1]], deletions=2),
    world(p7=[[1], [1], [1, 1]], deletions=2),
    world(p7=[[1, 1, 1, 1, 1]], deletions=2),
    world(p7=[[1, 2], [1, 1]], p9=[[1]], deletions=2),
)
SHOWN = world(p7=[[2, 1]], p9=[[1]])
CALLS = (
    ("Broker(disk)", "A broker starts over this disk, for the first time or again."),
    (
        "receive(producer, epoch, first, values)",
        "A batch arrives; first is the number of its first record. Return its place in the log, or None: refused.",
    ),
    ("delete(before)", "Retention: call self.disk.delete(before), with your own steps before and after it."),
    (
        "disk.log, disk.start",
        "The batches that are there, each [producer, epoch, first, values]; the first one's place.",
    ),
    ("disk.saved", "What was saved last; None at first."),
    ("disk.append(batch)", "Write [producer, epoch, first, values] behind the others."),
    ("disk.delete(before)", "Delete the batches at the places before this one."),
    ("disk.save(value)", "Replace what was saved: numbers, texts, lists, dictionaries, but no records."),
)


def drawn(found, title):
    """Return the picture of a schedule, line by line, and of the log in the end."""
    table = pd.DataFrame(found.shown or (), columns=["place", "producer", "epoch", "first number", "records", ""])
    lines = [f"{line[:1].upper()}{line[1:]}." for line in found.lines]
    html = "".join(f"<li>{escape(line)}</li>" for line in lines)
    said = f"<p><b>{escape(found.sentence)}</b></p>" if found.sentence else ""
    return drawing.Picture(
        f'<p class="eo-h">{title}</p><ol>{html}</ol><p class="eo-h">The log</p>{drawing.table_html(table)}{said}',
        text="\n".join([*lines, table.to_string(index=False), *([found.sentence] if found.sentence else [])]),
    )


def sketched():
    """Draw the table of the calls."""
    table = pd.DataFrame(CALLS, columns=["call", "purpose"])
    return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))


TASK = Explored(
    answer="Broker",
    tier="challenge",
    model=Hostile,
    methods=("receive", "delete"),
    form="a class, Broker, with receive and delete",
    worlds=[{"sent": sent} for sent in WORLDS],
    first=in_order,
    calm={"sent": SHOWN},
    draw=drawn,
    shown="Two producers, without a fault",
    sketch=sketched,
    keep="Keep in self, and save, only the values that you need.",
    praise="No batch is doubled or out of order, no zombie writes, and every producer finishes, whenever and however "
    "often batches arrive, wherever the broker dies, and whenever its log is cut. The check tried all schedules of "
    f"{len(WORLDS)} small worlds, with up to two producers, five batches, three epochs and two deletions "
    "({states} states).",
)
