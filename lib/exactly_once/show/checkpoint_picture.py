"""A checkpoint folder as tapes: a column for each micro-batch, a row for each log and each partition's state."""

import json
from collections.abc import Iterable
from html import escape

from ..spark.streaming.checkpoint import Checkpoint
from .base.checks import given
from .base.picture import Cell, Picture, cells_table, plain_table, scrolling, slots

MOST = 5  # columns of batches, as many as a page is wide; of a longer log the newest are drawn
LONGEST = 22  # characters of an offset that a cell shows


def checkpoint(found: Checkpoint) -> Picture:
    """Return the picture of a checkpoint, as `checkpoint_of` reads it, and what a restart of its query does first.

    Of a long log it has the newest batches.
    """
    batches = sorted({*given(found, Checkpoint).offsets, *found.commits})
    first, end = batches[-MOST:][0] if batches else 0, max(batches, default=-1) + 2
    head = ["", *(f"batch {batch}" for batch in range(first, end))]
    rows = [[f"<b>{title}</b>", *slots(cells, range(first, end))] for title, cells in _tapes(found, end).items()]
    about = f'<p class="eo-h">query {escape(found.query or "(without an id yet)")}</p>'
    drawn = scrolling(cells_table(head, rows, "eo-tape"), "Checkpoint")
    html = f"{about}{drawn}<p>{escape(found.restart)}</p>"
    return Picture(html, plain_table(head, rows), str(found), unfold="")


def _tapes(found: Checkpoint, end: int) -> dict[str, list[Cell]]:
    """Return {name: the cells} of each log and state, up to batch `end`; a planned, uncommitted batch is marked."""
    offsets, commits = [], []
    for batch in range(end):
        planned, done = batch in found.offsets, batch in found.commits
        offsets.append(Cell(_ends(found.offsets[batch]), at=batch) if planned else _none(batch, "not yet"))
        commit = Cell("committed", kind="done", at=batch)
        commits.append(commit if done else _none(batch, "✗ not yet", "missing" if planned else "deleted"))
    states = {
        f"state/0/{part}": [Cell(f"version {version}", at=version - 1) for version in kept if version <= end]
        for part, kept in found.state.items()
    }
    return {"offsets": offsets, "commits": commits, **states}


def _ends(ends: Iterable[object]) -> str:
    text = ", ".join("–" if end is None else json.dumps(end) for end in ends)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _none(batch: int, said: str, kind: str = "deleted") -> Cell:
    return Cell("", said, kind=kind, at=batch)
