"""A checkpoint folder as tapes: a column for each micro-batch, a row for each log and each partition's state."""

import json
from collections.abc import Iterable
from html import escape

from ...spark.streaming.checkpoint import Checkpoint
from ..base.checks import given
from ..base.picture import Picture, cells_table, scrolling
from ..base.tape import Cell, slots, table_of

MOST = 5  # columns of batches, as many as a page is wide; of a longer log the newest are drawn
LONGEST = 22  # characters of an offset that a cell shows


def checkpoint(found: Checkpoint) -> Picture:
    """Return the picture of a checkpoint, as `checkpoint_of` reads it, and what a restart of its query does first.

    Of a long log it has the newest batches; the table has all.
    """
    batches = sorted({*given(found, Checkpoint).offsets, *found.commits})
    first, end = batches[-MOST:][0] if batches else 0, max(batches, default=-1) + 2
    tapes = _tapes(found, end)
    rows = [[f"<b>{title}</b>", *slots(cells, range(first, end))] for title, cells in tapes.items()]
    drawn = scrolling(
        cells_table(["", *(f"batch {one}" for one in range(first, end))], rows, "eo-tape"), "Checkpoint"
    )
    about = f"query {found.query or '(without an id yet)'}"
    cells = sorted((cell for tape in tapes.values() for cell in tape), key=lambda cell: cell.at)
    table = table_of(cells, ["batch", "file", "says"])
    return Picture(f'<p class="eo-h">{escape(about)}</p>{drawn}<p>{escape(found.restart)}</p>', table, str(found))


def _tapes(found: Checkpoint, end: int) -> dict[str, list[Cell]]:
    """Return {name: the cells} of each log and state, up to batch `end`; a planned, uncommitted batch is marked."""
    offsets, commits = [], []
    for batch in range(end):
        planned, done = batch in found.offsets, batch in found.commits
        ends = _ends(found.offsets[batch]) if planned else ""
        offsets.append(
            _cell(batch, f"offsets/{batch}", ends, f"ends at {ends}") if planned else _none(batch, "not yet")
        )
        commit = _cell(batch, f"commits/{batch}", "committed", "is committed", "done")
        commits.append(commit if done else _none(batch, "✗ not yet", "missing" if planned else "deleted"))
    states = {
        f"state/0/{part}": [
            _cell(batch, f"state/0/{part}/{batch + 1}", f"version {batch + 1}", f"the state after batch {batch}")
            for batch in range(end)
            if batch + 1 in kept
        ]
        for part, kept in found.state.items()
    }
    return {"offsets": offsets, "commits": commits, **states}


def _ends(ends: Iterable[object]) -> str:
    text = ", ".join("–" if end is None else json.dumps(end) for end in ends)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _cell(batch: int, file: str, top: str, says: str, kind: str = "") -> Cell:
    return Cell(top, kind=kind, at=batch, row={"batch": batch, "file": file, "says": says})


def _none(batch: int, said: str, kind: str = "deleted") -> Cell:
    return Cell("", said, kind=kind, at=batch)
