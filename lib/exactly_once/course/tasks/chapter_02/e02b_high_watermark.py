"""Exercise 02b: the high watermark, from the log ends of the replicas."""

import pandas as pd

from .... import show as drawing
from ....errors import BadInput
from ..reply import has_dots, right, unsolved, wrong
from ..run_answer import answers
from ..task import Task

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


def check(answer):
    """Compare a learner's function with the rule, smallest case first."""
    if has_dots(answer):
        return unsolved("your function")
    if not callable(answer):
        raise BadInput(f"The answer is {answer!r}; it is a function of log ends and of a list of brokers.")
    told = answers(answer, [[dict(ends), list(in_sync)] for ends, in_sync in CASES])
    if all(fine and said is None for fine, said in told):
        return unsolved("the body of your function")
    for (ends, in_sync), (fine, said) in zip(CASES, told, strict=True):
        if not fine:
            return wrong(f"For the replicas below it fails with {said}.", picture=drawn(ends, in_sync, None))
        if said != high_watermark(ends, in_sync) or isinstance(said, bool):
            return wrong(_objection(ends, in_sync, said), picture=drawn(ends, in_sync, said))
    ends, in_sync = CASES[-1]
    return right(
        "Below the high watermark every replica in sync has every record, so whichever of them becomes leader, "
        "none of those is lost. A slow replica that has left the set holds nobody up.",
        picture=drawn(ends, in_sync, high_watermark(ends, in_sync)),
    )


def _objection(ends, in_sync, said):
    should = high_watermark(ends, in_sync)
    if not isinstance(said, int) or isinstance(said, bool):
        return f"It returns {said!r}; the high watermark is an offset, a whole number."
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
    """Return the picture of the replicas, one row each, with the high watermark and the answer."""
    should = high_watermark(ends, in_sync)
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
    yours = "" if said is None else f" Yours: {said}."
    words = f"High watermark: {should}.{yours}"
    return drawing.Picture(
        f"{drawing.table_html(table)}<p><b>{words}</b></p>", text=f"{table.to_string(index=False)}\n{words}"
    )


def show(answer):
    """Draw what an answer says about the last case."""
    ends, in_sync = CASES[-1]
    if has_dots(answer):
        return _unmarked(ends, in_sync, "not asked yet")
    if not callable(answer):
        raise BadInput(f"The answer is {answer!r}; it is a function of log ends and of a list of brokers.")
    fine, said = answers(answer, [[dict(ends), list(in_sync)]])[0]
    return _unmarked(ends, in_sync, said if fine else f"it fails with {said}")


def _unmarked(ends, in_sync, said):
    """Return the picture without the solution."""
    picture = drawn(ends, in_sync, None)
    words = f"Your high watermark: {said}."
    given = f"High watermark: {high_watermark(ends, in_sync)}."
    return drawing.Picture(picture.html.replace(given, words), text=picture.text.replace(given, words))


TASK = Task(
    title="the high watermark from the replicas' log ends",
    show=show,
    check=check,
    hints=(
        "A record is committed when all replicas in sync have it. Up to where is that so?",
        "The leader's own log is one of the replicas. One that is not in sync has no say, however far it is.",
        "A log's end is the offset of the record that comes next, so a log with end 3 has the offsets 0, 1 and 2.",
        "return min(ends[broker] for broker in in_sync)",
    ),
)
