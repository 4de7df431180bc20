"""Exercise 12e, a challenge: a sink whose tasks write files, under retries, twins and drivers' deaths."""

from html import escape

import pandas as pd

from ... import show as drawing
from ..kinds.explored import Explored
from .micro_batches import BATCHES, MicroBatches, in_order

WORLDS = (  # the smallest that shows a mistake stands first
    {},
    {"batches": 2},
    {"batches": 2, "partitions": 2},
    {"deaths": 1},
    {"unknown": 1},
    {"twins": 1},
    {"partitions": 2, "failures": 1},
    {"partitions": 2, "twins": 1},
    {"partitions": 2, "deaths": 1},
    {"batches": 2, "deaths": 1},
    {"batches": 2, "twins": 2},
    {"deaths": 1, "unknown": 1},
    {"deaths": 2},
    {"partitions": 2, "failures": 1, "unknown": 1},
    {"batches": 2, "deaths": 1, "twins": 1},
    {"batches": 2, "deaths": 1, "unknown": 1},
)
CALLS = (
    ("Sink(store)", "An object for one call. A call runs in a process of its own."),
    ("write(rows, partition, attempt)", "In a task. Return a message for the driver."),
    ("commit(messages, batch_id)", "Beside the driver: the batch becomes visible. One message a partition."),
    ("abort(messages, batch_id)", "Beside the driver: the batch has failed. None for a task without a message."),
    ("store.put(name, value)", "Write a file, over the old one if there is one."),
    (
        "store.put_if_absent(name, value)",
        "Write a file if there is none, in one step. Returns whether it was written.",
    ),
    ("store.get(name)", "The contents of a file, or None."),
    ("store.delete(name)", "Delete a file, if it is there."),
    ("store.unique()", "A name that no other call ever gets."),
)


def drawn(found, title):
    """Return the picture of a schedule, line by line, and of the files in the end."""
    table = pd.DataFrame(found.shown or (), columns=["file", "contents", "named by"])
    html = "".join(f"<li>{escape(line)}.</li>" for line in found.lines)
    said = f"<p><b>{escape(found.sentence)}</b></p>" if found.sentence else ""
    return drawing.Picture(
        f'<p class="eo-h">{title}</p><ol>{html}</ol><p class="eo-h">The files</p>{drawing.table_html(table)}{said}',
        text="\n".join([*found.lines, table.to_string(index=False), *([found.sentence] if found.sentence else [])]),
    )


def sketched():
    """Draw the table of the calls."""
    table = pd.DataFrame(CALLS, columns=["call", "purpose"])
    return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))


TASK = Explored(
    answer="Sink",
    tier="challenge",
    model=MicroBatches,
    methods=("write", "commit", "abort"),
    form="a class, Sink, with write, commit and abort",
    worlds=WORLDS,
    states=6_000,
    first=in_order,
    calm={"batches": len(BATCHES), "partitions": 2},
    draw=drawn,
    shown="Two batches of two partitions, without a fault",
    sketch=sketched,
    objects="sinks",
    praise="Every batch is visible once, whole, and for good, and what no reader will see is deleted, wherever tasks "
    "and drivers die, whichever twin is late, and whatever a zombie still writes: {states} states of "
    f"{len(WORLDS)} small worlds.{{cut}}",
)
