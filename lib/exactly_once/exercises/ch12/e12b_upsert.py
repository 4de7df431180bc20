"""Exercise 12b: a sink for averages that are corrected, which neither a replay nor an old driver's batch changes."""

from ...explore.plain import Found
from .saves import OfSave, Saves, drawn, in_order

SCHEMA = "CREATE TABLE averages (hour INTEGER PRIMARY KEY, average REAL, batch INTEGER);"
QUERY = "SELECT hour, average FROM averages ORDER BY hour"
BATCHES = (
    ((1, 20.5, 2), (2, 21.0, 1)),
    ((2, 19.5, 2), (3, 18.0, 1)),  # hour 2 is corrected, downwards
    (),
    ((2, 22.0, 3), (1, 20.5, 2)),
)
NAMES = ("database",)
TITLE = "Every batch is saved once"


class Corrected(Saves):
    """Batches in update mode: the newest average of an hour counts."""

    def __init__(self, save, count=None, **faults):
        super().__init__(save, (SCHEMA,), (QUERY,), newest, NAMES, BATCHES[:count], **faults)


def newest(batches):
    """Return what the table should hold: of each hour the average that came last."""
    averages = {hour: average for rows in batches for hour, average, _ in rows}
    return [sorted(averages.items())]


TASK = OfSave(
    answer="save",
    model=Corrected,
    methods=(),
    asks="your function",
    form="a function, save(rows, batch_id, database)",
    worlds=(
        {"count": 1, "deaths": 1},
        {"count": 2, "deaths": 1},
        {"late": 1},
        {"deaths": 2},
        {"deaths": 2, "late": 2},
    ),
    first=in_order,
    calm={},
    draw=lambda found, title: drawn(found, title, NAMES),
    shown=TITLE,
    sketch=lambda: drawn(
        Found(lines=tuple(action.words for action in in_order(Corrected(None))), shown=newest(BATCHES)), TITLE, NAMES
    ),
    objects="calls",
    praise="The table has the newest average of each hour, once, in {states} states: drivers die before and after "
    "each commit, batches are replayed, and those of an old driver come late.",
)
