"""The table of progress: the exercises that were tried, and below it the predictions and gaps of each chapter."""

import pandas as pd

from ... import show
from ...chapters import item
from ...solutions import exercise_names, words
from .. import predictions, solved

SIGNS = {"solved": "✓ solved", "tried": "○ tried"}


def progress():
    """Return tables of the solved exercises, and of the predictions and gaps in the chapters."""
    found, count = solved.entries(), len(exercise_names())
    tried = [name for name in exercise_names() if name in found]
    done = [name for name in tried if found[name]["solved"]]
    said = f"Exercises: {count}; {len(done)} solved, {len(tried) - len(done)} tried, {count - len(tried)} not yet."
    rows = [
        (name, item(name).tier, words(name).title, SIGNS[solved.standing(name)], found[name]["solved"] or "",
         found[name]["tries"])
        for name in tried
    ]  # fmt: skip
    gaps, below = predictions.asked("gap"), []
    for chapter, (asked, predicted, came_out) in predictions.counts().items():
        written = len({*gaps[chapter]} & {*solved.solved_names()})
        if asked or gaps[chapter]:
            below.append((chapter, f"{predicted} of {asked}", came_out, f"{written} of {len(gaps[chapter])}"))
    tables = [
        pd.DataFrame(part, columns=columns)
        for part, columns in (
            (rows, ["exercise", "tier", "task", "state", "since", "checks until then"]),
            (below, ["chapter", "predicted", "came out as predicted", "gaps written"]),
        )
        if part
    ]
    html = "".join(f'<div class="eo-progress">{show.table_html(each)}</div>' for each in tables)
    return show.Picture(
        f'<div class="eo-progress"><p>{said}</p></div>{html}',
        text="\n\n".join([said, *(each.to_string(index=False) for each in tables)]),
    )
