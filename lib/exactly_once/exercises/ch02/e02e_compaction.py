"""Exercise 02e: which records remain when a log is compacted by key."""

import pandas as pd

from ... import show as drawing
from ..kinds.cases import Cases

CASES = (  # (offset, key, value), and the offset that ends the cleaning; the smallest log with a trap stands first
    ([(0, "a", "1")], 1),
    ([(0, "a", "1"), (1, "a", "2")], 2),
    ([(0, "a", "1"), (1, "b", "1"), (2, "a", "1")], 3),
    ([(0, "b", "1"), (1, "a", "1"), (2, "b", "2")], 3),
    ([(0, "a", "1"), (1, "a", None)], 2),
    ([(0, "a", "2"), (1, "a", "1")], 2),
    ([(0, "a", "1"), (1, "a", "2")], 1),
    ([(0, "a", "1"), (1, "a", "2"), (2, "a", "3")], 2),
    ([(3, "a", "1"), (7, "b", "1"), (8, "a", "2"), (12, "a", "3")], 9),
    ([], 0),
    ([(0, "a", "1"), (1, "b", "1"), (2, "a", None), (3, "c", "1"), (4, "b", "2"), (5, "c", "2"), (6, "a", "3")], 5),
)


def compacted(records, before):
    """Return what remains of `records`: below offset `before` only the last of each key, from there on everything."""
    last = {key: offset for offset, key, _ in records if offset < before}
    return [record for record in records if record[0] >= before or last[record[1]] == record[0]]


def objection(records, before, said):
    """Return a sentence on the mistake in one answer, or None."""
    try:
        said = [tuple(record) for record in said]
    except TypeError:
        return f"For the log below it returns {said!r}; return a list of records."
    should = compacted(records, before)
    if said == should:
        return None
    strangers = [record for record in said if record not in records]
    if strangers:
        return (
            f"It returns {strangers[0]!r}, which was never in the log. Compaction only removes records. If it "
            "gave a record another offset, a consumer's saved position would mean another record."
        )
    if sorted(said) == should:
        return "The right records remain, but in another order. A log is read by offset, so its order stays."
    if len(set(said)) < len(said):
        return "It returns a record twice. Compaction only removes records."
    return _wrongly_kept(records, before, said, should)


def _wrongly_kept(records, before, said, should):
    gone = [record for record in should if record not in said]
    if gone and gone[0][0] >= before:
        return f"The record at offset {gone[0][0]} is gone. Compaction stops before offset {before}: leave it there."
    if gone and gone[0][2] is None:
        return (
            f"The record at offset {gone[0][0]} is gone. It is a tombstone, the newest record of its key: a reader "
            "that never sees it keeps the old value for ever."
        )
    if gone and any(record[0] >= before and record[1] == gone[0][1] for record in records):
        return (
            f"The record at offset {gone[0][0]} is gone. Newer ones of its key stand at offset {before} or later, "
            "where the cleaner does not look."
        )
    if gone:
        return f"The record at offset {gone[0][0]} is gone, and it is the last of key {gone[0][1]!r}."
    extra = next(record for record in said if record not in should)
    return f"The record at offset {extra[0]} is still there, and a later one has the same key {extra[1]!r}."


def drawn(records, before, said, told=True):
    """Return the picture of a log before and after the answer's compaction; with `told`, the right result, too."""
    should = compacted(records, before)
    try:
        left = None if said is None else [tuple(record) for record in said]
    except TypeError:
        left = None
    rows = [
        {
            "offset": offset,
            "key": key,
            "value": "tombstone" if value is None else value,
            "part": "cleaned" if offset < before else "not cleaned",
            "should": "stays" if (offset, key, value) in should else "goes",
            "yours": "" if left is None else "stays" if (offset, key, value) in left else "goes",
        }
        for offset, key, value in records
    ]
    columns = ["offset", "key", "value", "part", "yours", *(["should"] if told else [])]
    table = pd.DataFrame(rows, columns=columns)
    words = f"The log, to be cleaned before offset {before}"
    return drawing.Picture(
        f'<p class="eo-h">{words}</p>{drawing.table_html(table)}', text=f"{words}\n{table.to_string(index=False)}"
    )


def sketch(told):
    """Draw the longest log after the answer's compaction."""
    [(fine, said)] = told or [(False, None)]
    return drawn(*CASES[-1], said if fine else None, told=False)


TASK = Cases(
    answer="compact",
    form="a function of a list of records and an offset",
    cases=CASES,
    oracle=compacted,
    objection=objection,
    fails=lambda records, before, said: f"For the log below it fails with {said}.",
    draw=drawn,
    sketch=sketch,
    praise="What remains is the last record of each key, where it always was: offsets never change, the order never "
    "changes, and gaps stay gaps.",
    example=CASES[-1],
)
