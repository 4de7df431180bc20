"""Exercise 12d: averages into one database and a counter into another one, each batch in both or in none."""

from ...explore.plain import Found
from .saves import OfSave, Saves, drawn, in_order

THRESHOLD = 4
SCHEMAS = (
    "CREATE TABLE averages (hour INTEGER, average REAL); CREATE TABLE batches (batch INTEGER);",
    "CREATE TABLE counter (windows INTEGER); INSERT INTO counter VALUES (0); CREATE TABLE batches (batch INTEGER);",
)
QUERIES = ("SELECT hour, average FROM averages ORDER BY hour, average", "SELECT windows FROM counter")
BATCHES = (
    ((1, 20.5, 5), (2, 21.0, 3)),
    ((3, 20.5, 6),),
    (),
    ((3, 20.5, 6), (5, 22.0, 9)),  # a row that was there before
)
NAMES = ("averages", "counts")
TITLE = "Every batch is saved once"


class InTwo(Saves):
    """Batches whose rows go into one database, and the number of windows above the threshold into another."""

    def __init__(self, save, count=None, **faults):
        super().__init__(save, SCHEMAS, QUERIES, both, NAMES, BATCHES[:count], **faults)


def both(batches):
    """Return what the two databases should hold."""
    rows = [row for batch in batches for row in batch]
    return [sorted(row[:2] for row in rows), [(sum(row[2] > THRESHOLD for row in rows),)]]


TASK = OfSave(
    answer="save",
    model=InTwo,
    methods=(),
    asks="your function",
    form="a function, save(rows, batch_id, averages, counts)",
    worlds=(
        {"count": 1, "deaths": 1},
        {"count": 2, "deaths": 2},
        {"late": 1},
        {"deaths": 2, "late": 1},
        {"deaths": 3},
    ),
    first=in_order,
    calm={},
    draw=lambda found, title: drawn(found, title, NAMES),
    shown=TITLE,
    sketch=lambda: drawn(
        Found(lines=tuple(action.words for action in in_order(InTwo(None))), shown=both(BATCHES)), TITLE, NAMES
    ),
    objects="calls",
    praise="Each database has each batch once, in {states} states. No transaction covers both: a death can leave a "
    "batch in one of them, and the replay completes the other, as each says for itself what it has.",
)
