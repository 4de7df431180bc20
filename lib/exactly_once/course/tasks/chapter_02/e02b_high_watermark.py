"""Exercise 02b: the high watermark, from the log ends of the replicas."""

import pandas as pd

from .... import show as drawing
from ..cases import CasesTask

CASES = (  # the log end of each broker's replica, and who is in sync; the leader is always the first of them
    ({1: 0}, [1]),
    ({1: 5}, [1]),
    ({1: 5, 2: 3}, [1, 2]),
    ({1: 5, 2: 3}, [1]),
    ({1: 5, 2: 5, 3: 3}, [1, 2, 3]),
    ({1: 5, 2: 4, 3: 0}, [1, 2]),
    ({2: 4, 1: 6, 3: 9}, [2, 3]),
    ({4: 12, 1: 12, 2: 7, 3: 10, 5: 2}, [4, 1, 3]),
)


def high_watermark(ends, in_sync):
    """Return the first offset that a replica in sync may lack: the smallest of their log ends."""
    return min(ends[broker] for broker in in_sync)


def objection(ends, in_sync, said):
    """Return a sentence on what is wrong with one answer, or None."""
    should = high_watermark(ends, in_sync)
    if not isinstance(said, int) or isinstance(said, bool):
        return f"It returns {said!r}; the high watermark is an offset, a whole number."
    if said == should:
        return None
    if said == should - 1:
        return (
            f"It says {said}. That is the last offset that all replicas in sync have; the high watermark is the "
            f"first that one of them may lack, here {should}, as a log's end is the offset of the next record."
        )
    if said > should:
        behind = next(broker for broker in in_sync if ends[broker] < said)
        return (
            f"It says {said}, but broker {behind} is in sync and has only the offsets below {ends[behind]}. If the "
            f"others die, broker {behind} leads, and offset {ends[behind]} is lost although readers have seen it."
        )
    slow = [broker for broker in ends if broker not in in_sync]
    held = f"Broker {slow[0]} is not in sync, and nobody waits for it. " if slow else ""
    return f"It says {said}, but every replica in sync has the offsets below {should}. {held}Readers may see those."


def drawn(ends, in_sync, said):
    """Return the picture of the replicas with the high watermark and the answer."""
    yours = "" if said is None else f" Yours: {said}."
    return replicas(ends, in_sync, f"High watermark: {high_watermark(ends, in_sync)}.{yours}")


def replicas(ends, in_sync, words):
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
    return drawing.Picture(
        f"{drawing.table_html(table)}<p><b>{words}</b></p>", text=f"{table.to_string(index=False)}\n{words}"
    )


def sketch(told):
    """Draw what an answer says about the last case."""
    [(fine, said)] = told or [(True, "not asked yet")]
    return replicas(*CASES[-1], f"Your high watermark: {said if fine else f'it fails with {said}'}.")


TASK = CasesTask(
    title="the high watermark from the replicas' log ends",
    answer="high_watermark",
    tier="warm-up",
    signature="a function of log ends and of a list of brokers",
    cases=CASES,
    oracle=high_watermark,
    objection=objection,
    fails=lambda ends, in_sync, said: f"For the replicas below it fails with {said}.",
    draw=drawn,
    sketch=sketch,
    praise="Below the high watermark every replica in sync has every record, so whichever of them becomes leader, "
    "none of those is lost. A slow replica that has left the set holds nobody up.",
    example=CASES[-1],
    hints=(
        "A record is committed when all replicas in sync have it. Up to where is that so?",
        "The leader's own log is one of the replicas. One that is not in sync has no say, however far it is.",
        "A log's end is the offset of the record that comes next, so a log with end 3 has the offsets 0, 1 and 2.",
        "return min(ends[broker] for broker in in_sync)",
    ),
)
