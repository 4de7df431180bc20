"""Exercise 02b: the high watermark, from the log ends of the replicas and the number of those in sync (KIP-966)."""

import pandas as pd

from ... import show as drawing
from ...errors import is_whole
from ..kinds.cases import Cases

CASES = (  # the high watermark so far, each replica's log end, who is in sync (the leader first), min.insync.replicas
    (0, {1: 0}, [1], 1),
    (0, {1: 5}, [1], 1),
    (0, {1: 5, 2: 3}, [1, 2], 1),
    (0, {1: 5, 2: 3}, [1], 1),
    (3, {1: 5, 2: 3}, [1], 2),
    (0, {1: 5, 2: 3}, [1, 2], 2),
    (3, {1: 5, 2: 5, 3: 3}, [1, 2, 3], 2),
    (3, {1: 5, 2: 5, 3: 3}, [1, 2], 2),
    (0, {1: 5, 2: 4, 3: 4}, [1, 2], 3),
    (4, {1: 5, 2: 0}, [1, 2], 1),
    (2, {2: 4, 1: 6, 3: 9}, [2, 3], 2),
    (6, {4: 12, 1: 12, 2: 7, 3: 10, 5: 2}, [4, 1, 3], 4),
    (6, {4: 12, 1: 12, 2: 7, 3: 10, 5: 2}, [4, 1, 3], 2),
)


def high_watermark(before, ends, in_sync, minimum):
    """Return the first offset that a replica in sync may lack; where it was, if too few are in sync (Kafka 3.7)."""
    if len(in_sync) < minimum:
        return before
    return max(before, min(ends[broker] for broker in in_sync))


def objection(before, ends, in_sync, minimum, said):
    """Return a sentence on the mistake in one answer, or None."""
    should = high_watermark(before, ends, in_sync, minimum)
    if not is_whole(said):
        return f"It returns {said!r}; the high watermark is an offset, a whole number."
    if said == should:
        return None
    if len(in_sync) >= minimum and said == min(ends[broker] for broker in in_sync) - 1:
        return (
            f"It says {said}. That is the last offset that all replicas in sync have; the high watermark is the "
            f"first that one of them may lack, here {should}, as a log's end is the offset of the next record."
        )
    if said < before:
        return (
            f"It says {said}, but the high watermark was at {before} already, and it is not taken back: readers have "
            "seen those records. A new leader takes the log end of a follower to be 0 until that follower asks, and "
            "leaves the high watermark where it was."
        )
    if len(in_sync) < minimum:
        return (
            f"It says {said}, but min.insync.replicas asks for {minimum} replicas, and {len(in_sync)} "
            f"{'is' if len(in_sync) == 1 else 'are'} in sync. Until there are enough, the high watermark stays at "
            f"{before}: a record that a reader sees has to be on {minimum} brokers."
        )
    if said > should:
        behind = next(broker for broker in in_sync if ends[broker] < said)
        return (
            f"It says {said}, but broker {behind} is in sync and has only the offsets below {ends[behind]}. If the "
            f"others die, broker {behind} leads, and offset {ends[behind]} is lost although readers have seen it."
        )
    slow = [broker for broker in ends if broker not in in_sync]
    held = f"Broker {slow[0]} is not in sync, and nobody waits for it. " if slow else ""
    return (
        f"It says {said}, but every replica in sync has the offsets below {should}. {held}Readers may see these "
        "offsets."
    )


def drawn(before, ends, in_sync, minimum, said):
    """Return the picture of the replicas with the high watermark and the answer."""
    yours = "" if said is None else f" Yours: {said}."
    now = high_watermark(before, ends, in_sync, minimum)
    return replicas(before, ends, in_sync, minimum, f"High watermark now: {now}.{yours}")


def replicas(before, ends, in_sync, minimum, words):
    """Return the picture of the replicas, one row each, and of some words."""
    rows = [
        {
            "broker": broker,
            "role": "leader" if broker == in_sync[0] else "in sync" if broker in in_sync else "– not in sync",
            "its records": "■" * end + ("□" * (max(ends.values()) - end)),
            "log end": end,
        }
        for broker, end in ends.items()
    ]
    table = pd.DataFrame(rows, columns=["broker", "role", "its records", "log end"])
    words = f"min.insync.replicas: {minimum}. High watermark so far: {before}. {words}"
    return drawing.Picture(
        f"{drawing.table_html(table)}<p><b>{words}</b></p>", text=f"{table.to_string(index=False)}\n{words}"
    )


def sketch(told):
    """Draw what an answer says about the last case."""
    [(fine, said)] = told or [(True, "not asked yet")]
    return replicas(*CASES[-1], f"Your high watermark now: {said if fine else f'it fails with {said}'}.")


TASK = Cases(
    answer="high_watermark",
    tier="warm-up",
    form="a function of an offset, of log ends, of a list of brokers and of min.insync.replicas",
    cases=CASES,
    oracle=high_watermark,
    objection=objection,
    fails=lambda before, ends, in_sync, minimum, said: f"For the replicas below it fails with {said}.",
    draw=drawn,
    sketch=sketch,
    praise="Below the high watermark every replica in sync has every record, so whichever of them becomes leader, "
    "none of those is lost. A slow replica that has left the set holds nobody up, and when too few are left in it, "
    "records are written but not shown.",
    example=CASES[-1],
)
