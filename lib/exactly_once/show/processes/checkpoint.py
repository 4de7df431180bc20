"""A checkpoint folder as a picture: a column for each micro-batch, a row for each log and each partition's state."""

import json
from html import escape

import pandas as pd

from ...spark.streaming.checkpoint import Checkpoint
from ..base.checks import given
from ..base.picture import Picture, scrolling

MOST = 5  # columns of batches, as many as a page is wide; of a longer log the newest are drawn
LONGEST = 22  # characters of an offset that a cell shows
STYLE = """
.eo .eo-checkpoint { display: grid; width: max-content; gap: 3px; align-items: stretch; padding: 2px; }
.eo .eo-checkpoint > * { padding: 3px 5px; min-width: 76px; text-align: center; font-size: 12px; }
.eo .eo-checkpoint > .eo-row { text-align: left; font-weight: 600; color: var(--eo-ink); }
.eo .eo-checkpoint > .eo-head { color: var(--eo-dim); font-weight: 600; }
.eo .eo-checkpoint > .eo-file { border: 1px solid color-mix(in srgb, var(--eo-sky) 55%, var(--eo-bg));
  background: color-mix(in srgb, var(--eo-sky) 15%, var(--eo-bg)); color: var(--eo-ink);
  font-family: var(--jp-code-font-family, monospace); }
.eo .eo-checkpoint > .eo-file.eo-done { border-color: var(--eo-green);
  background: color-mix(in srgb, var(--eo-green) 13%, var(--eo-bg)); }
.eo .eo-checkpoint > .eo-none { border: 1px dashed var(--eo-line); color: var(--eo-dim); }
.eo .eo-checkpoint > .eo-none.eo-open { border: 2px dashed var(--eo-red); color: var(--eo-red); font-weight: 600; }
"""


def checkpoint(found: Checkpoint) -> Picture:
    """Return the picture of a checkpoint, as `checkpoint_of` reads it, and what a restart of its query does first.

    Of a long log it has the newest batches.
    """
    given(found, Checkpoint)
    batches = sorted({*found.offsets, *found.commits})
    shown = [*batches[-MOST:], max(batches, default=-1) + 1]
    rows = _rows(found, shown)
    cells = ["<span></span>", *(f'<span class="eo-head">batch {batch}</span>' for batch in shown)]
    for name, files in rows:
        cells += [f'<span class="eo-row">{escape(name)}</span>', *files]
    style = f"grid-template-columns: repeat({len(shown) + 1}, auto)"
    grid = f'<div class="eo-checkpoint" style="{style}">{"".join(cells)}</div>'
    about = f"query {found.query or '(without an id yet)'}"
    says = f'<p class="eo-h">{escape(about)}</p>{scrolling(grid, "Checkpoint")}<p>{escape(found.restart)}</p>'
    return Picture(f"<style>{STYLE}</style>{says}", _table(found), str(found))


def _rows(found, batches):
    """Return (name, cells) for each row. A batch that is planned and not committed is marked."""
    offsets = [
        _file(_ends(found.offsets[batch])) if batch in found.offsets else _none("not yet") for batch in batches
    ]
    commits = [
        _file("✓", "eo-done") if batch in found.commits else _none("✗ not yet", batch in found.offsets)
        for batch in batches
    ]
    state = [
        (f"state/0/{part}", [_file(f"version {batch + 1}") if batch + 1 in kept else _none("") for batch in batches])
        for part, kept in found.state.items()
    ]
    return [("offsets", offsets), ("commits", commits), *state]


def _ends(ends):
    text = ", ".join("–" if end is None else json.dumps(end) for end in ends)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _file(text, kind=""):
    return f'<span class="eo-file {kind}">{escape(text)}</span>'


def _none(text, is_open=False):
    return f'<span class="eo-none{" eo-open" * is_open}">{escape(text)}</span>'


def _table(found):
    """Return the checkpoint's files as a table."""
    rows = [(batch, f"offsets/{batch}", f"ends at {_ends(ends)}") for batch, ends in found.offsets.items()]
    rows += [(batch, f"commits/{batch}", "is committed") for batch in found.commits]
    rows += [
        (version - 1, f"state/0/{part}/{version}", f"the state after batch {version - 1}")
        for part, versions in found.state.items()
        for version in versions
    ]
    return pd.DataFrame(sorted(rows, key=lambda row: row[:1]), columns=["batch", "file", "says"])
