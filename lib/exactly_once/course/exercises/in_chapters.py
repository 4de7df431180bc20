"""The lower part of the table of progress: the learner's predictions and gaps in each chapter."""

import pandas as pd

from ... import show
from .. import predictions
from . import solved as kept


def with_chapters(exercises):
    """Return a `Picture` of the exercises with the chapters' predictions and gaps below it."""
    gaps, solved, rows = predictions.asked("gap"), kept.solved_names(), []
    for chapter, (asked, predicted, came_out) in predictions.counts().items():
        written = len({*gaps[chapter]} & {*solved})
        if asked or gaps[chapter]:
            rows.append((chapter, f"{predicted} of {asked}", came_out, f"{written} of {len(gaps[chapter])}"))
    if not rows:
        return exercises
    listed = pd.DataFrame(rows, columns=["chapter", "predicted", "came out as predicted", "gaps written"])
    return show.Picture(
        f'{exercises.html}<div class="eo-progress">{show.table_html(listed)}</div>',
        text=f"{exercises}\n\n{listed.to_string(index=False)}",
    )
