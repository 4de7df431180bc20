"""Exercise 04a: what does a crash at D leave, when the window is short?"""

import pandas as pd

from ... import show as drawing
from ...faults import FaultPlan
from ...handlers import at_least_once
from ...pipeline import Job
from ...simulate import simulate
from ...verdict import judge
from ..kinds.reply import right, wrong
from ..kinds.values import Values, Whole, Wholes

JOB = Job(items=8, duration=2, threshold=3)
PLAN = FaultPlan.crash("D", 4)
KINDS = {"doubled": "duplicated", "missing": "missing", "wrong": "wrong"}


def verdict():
    """Return the `Verdict` on the run that the learner predicts."""
    return judge(simulate(at_least_once, PLAN, JOB), at_least_once)


def compared(said):
    """Compare a prediction with the run."""
    judged = verdict()
    for kind, name in KINDS.items():
        found = set(getattr(judged.damage, name))
        if said[kind] != found:
            return wrong(_difference(kind, said[kind], found), judged, at_least_once)
    if said["counter"] != judged.damage.counter:
        reason = "the second process does hour 4 again, and the database keeps the first increment."
        return wrong(
            f"The hours are right, but the counter does not end at {said['counter']}: {reason}", judged, at_least_once
        )
    return right(judged.sentence, judged, at_least_once, drawing.verdict(judged))


def _difference(kind, said, found):
    too_many, too_few = sorted(said - found), sorted(found - said)
    if too_many:
        why = {
            "doubled": "only one hour was done twice, and the handler pushes one average each time.",
            "missing": "the second process repeats each hour that the saved positions do not cover.",
            "wrong": "write down which readings are in that hour's window, and which have left it.",
        }[kind]
        return f"Hour {too_many[0]} is not {kind}: {why}"
    why = {
        "doubled": "the first process had pushed this average before it died, and the second cannot know that.",
        "missing": "no process pushed its average.",
        "wrong": "a reading that is in the window twice counts twice in every average until the reading leaves.",
    }[kind]
    where = "the only hour" if len(found) == 1 else f"{len(too_few)} of the {len(found)} hours"
    return f"Under {kind!r} you left out {where}: {why}"


def drawn(said):
    """Draw a prediction: one row for each hour."""
    signs = {"doubled": "× twice", "missing": "○ missing", "wrong": "≠ wrong"}
    rows = [
        (hour, " and ".join(signs[kind] for kind in KINDS if hour in said[kind]) or "✓ once, and right")
        for hour in range(1, JOB.items + 1)
    ]
    table = pd.DataFrame(rows, columns=["hour", "you say its average is"])
    text = f"You say the counter ends at {said['counter']}."
    return drawing.Picture(
        f"{drawing.table_html(table)}<p>{text}</p>", text=f"{table.to_string(index=False)}\n{text}"
    )


TASK = Values(
    answer="prediction",
    tier="warm-up",
    asks="your four predictions",
    fields={kind: Wholes(f"an hour that is {kind}", 1, JOB.items) for kind in KINDS} | {"counter": Whole()},
    rule=compared,
    drawn=drawn,
)
