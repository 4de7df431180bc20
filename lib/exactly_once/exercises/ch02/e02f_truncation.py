"""Exercise 02f: where a replica that comes back cuts its log, by leader epochs."""

from html import escape

import pandas as pd

from ... import show as drawing
from ..kinds.cases import Cases

CASES = (  # the epochs of a follower's and of a leader's records, offset by offset; the smallest with a trap first
    ([0], [0]),
    ([0], []),
    ([0], [1]),
    ([0], [0, 0]),
    ([0, 0], [0]),
    ([0, 1], [0, 2]),
    ([0, 0], [0, 1]),
    ([0, 1, 1], [0, 1, 2, 2]),
    ([0, 0, 0], [0, 1, 1, 1, 1]),
    ([], [0]),
    ([2, 2, 3, 5, 5, 5], [2, 2, 3, 5, 6]),
    ([0, 0, 1, 1, 1, 4], [0, 0, 1, 2, 3, 3, 5]),
)


def common(follower, leader):
    """Return how many records two logs have in common: records of one epoch at one offset are the same (KIP-101)."""
    pairs = zip(follower, leader, strict=False)
    return next(
        (offset for offset, (one, other) in enumerate(pairs) if one != other), min(len(follower), len(leader))
    )


def objection(follower, leader, said):
    """Return a sentence on the mistake in one answer, or None."""
    should = common(follower, leader)
    if type(said) is not int or not 0 <= said <= len(follower):
        return f"It says {said!r}; the follower's new log end is an offset from 0 to its log end, {len(follower)}."
    if said == should:
        return None
    if said < should:
        return (
            f"It says {said}, and so cuts off offset {said}, where both logs hold the same record. If the leader "
            "dies before the follower has copied that record again, a committed record can be lost."
        )
    if should == len(leader):
        return f"It says {said}, and so keeps offset {should}, where the leader has nothing."
    return (
        f"It says {said}, and so keeps offset {should}, where the follower has a record of epoch {follower[should]} "
        f"and the leader one of epoch {leader[should]}. Two replicas would hold different records there for good."
    )


def drawn(follower, leader, said=None):
    """Return the picture of two logs side by side, and where the answer cuts."""
    rows = []
    for offset in range(max(len(follower), len(leader))):
        one, other = (log[offset] if offset < len(log) else None for log in (follower, leader))
        kept = "" if said is None or one is None else "kept" if _is_below(offset, said) else "cut"
        rows.append((offset, *("–" if epoch is None else f"epoch {epoch}" for epoch in (one, other)), kept))
    table = pd.DataFrame(rows, columns=["offset", "the follower's", "the leader's", "yours"])
    words = "" if said is None else f"Your log end for the follower: {said!r}."
    return drawing.Picture(
        f"{drawing.table_html(table)}<p><b>{escape(words)}</b></p>",
        text=f"{table.to_string(index=False)}\n{words}",
    )


def _is_below(offset, said):
    return type(said) is int and offset < said


def sketch(told):
    """Draw where the answer cuts in the last pair of logs."""
    [(fine, said)] = told or [(False, None)]
    return drawn(*CASES[-1], said if fine and type(said) is int else None)


TASK = Cases(
    answer="cut",
    form="a function of two lists of epochs",
    cases=CASES,
    oracle=common,
    objection=objection,
    fails=lambda follower, leader, said: f"For the logs below it fails with {said}.",
    draw=drawn,
    sketch=sketch,
    praise="The follower keeps what both have, which may be committed, and gives up what only it has, which cannot "
    "be.",
    example=CASES[-1],
)
