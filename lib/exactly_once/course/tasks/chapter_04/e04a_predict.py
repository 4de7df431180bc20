"""Exercise 04a: what does a crash at D leave, when the window is short?"""

import itertools
import operator

import pandas as pd

from .... import show as drawing
from ....errors import BadInput, whole
from ....faults import FaultPlan
from ....handlers import at_least_once
from ....pipeline import Job
from ....simulate import simulate
from ....verdict import judge
from ..reply import has_dots, right, unsolved, wrong
from ..task import Task

JOB = Job(items=8, duration=2, threshold=3)
PLAN = FaultPlan.crash("D", 4)
MOST = 1_000  # hours that are read of a list: some never end
KINDS = {"doubled": "duplicated", "missing": "missing", "wrong": "wrong"}


def verdict():
    """Return what happens: the `Verdict` on the run that is to be predicted."""
    return judge(simulate(at_least_once, PLAN, JOB), at_least_once)


def read(answer):
    """Return the prediction as {"doubled": set, "missing": set, "wrong": set, "counter": int}, or None.

    None stands for a prediction with dots left in it. Raises `BadInput` for an answer of another form.
    """
    if has_dots(answer):
        return None
    if not isinstance(answer, dict) or set(answer) != {*KINDS, "counter"}:
        raise BadInput(f"The prediction is {answer!r}; it is a dictionary with doubled, missing, wrong and counter.")
    said = {"counter": whole("the counter", _plain(answer["counter"]))}
    for kind in KINDS:
        hours = answer[kind]
        try:
            hours = [hours] if isinstance(hours, int) else list(itertools.islice(hours, MOST))
        except TypeError:
            raise BadInput(f"{kind} is {hours!r}; give a list of hours, such as [1, 2], or [] for none.") from None
        said[kind] = {whole(f"an hour that is {kind}", _plain(hour), least=1, most=JOB.items) for hour in hours}
    return said


def _plain(number):
    """Return a whole number of NumPy's as one of Python's; anything else as it is."""
    return operator.index(number) if hasattr(number, "__index__") and not isinstance(number, bool) else number


def check(answer):
    """Compare a prediction with what happens."""
    said = read(answer)
    if said is None:
        return unsolved("your four predictions")
    judged = verdict()
    for kind, name in KINDS.items():
        found = set(getattr(judged.damage, name))
        if said[kind] != found:
            return wrong(_difference(kind, said[kind], found), judged, at_least_once)
    if said["counter"] != judged.damage.counter:
        reason = "life 2 goes through the pass of hour 4 again, and what is in the database stays there."
        return wrong(
            f"The hours are right, but the counter does not end at {said['counter']}: {reason}", judged, at_least_once
        )
    return right(judged.sentence, judged, at_least_once, drawing.verdict(judged))


def _difference(kind, said, found):
    too_many, too_few = sorted(said - found), sorted(found - said)
    if too_many:
        why = {
            "doubled": "each average is pushed once in a pass, and one pass alone was done twice.",
            "missing": "life 2 does again whatever the saved positions do not cover, so nothing is left out.",
            "wrong": "look at which readings are in the window of that hour, and what has left it by its age.",
        }[kind]
        return f"Hour {too_many[0]} is not {kind}: {why}"
    why = {
        "doubled": "life 1 had pushed it before it died, and life 2 cannot know.",
        "missing": "nobody pushed it.",
        "wrong": "a reading that is in the window twice counts twice in every average until it leaves.",
    }[kind]
    where = "the only hour" if len(found) == 1 else f"{len(too_few)} of the {len(found)} hours"
    return f"Under {kind!r} you left out {where}: {why}"


def show(answer):
    """Draw a prediction: for each hour, what would be in the output."""
    said = read(answer)
    if said is None:
        return drawing.Picture("<p>Nothing is predicted yet.</p>", text="Nothing is predicted yet.")
    signs = {"doubled": "× twice", "missing": "○ missing", "wrong": "≠ wrong"}
    rows = [
        (hour, " and ".join(signs[kind] for kind in KINDS if hour in said[kind]) or "✓ there once, and right")
        for hour in range(1, JOB.items + 1)
    ]
    table = pd.DataFrame(rows, columns=["hour", "you say its average is"])
    text = f"You say the counter ends at {said['counter']}."
    return drawing.Picture(
        f"{drawing.table_html(table)}<p>{text}</p>", text=f"{table.to_string(index=False)}\n{text}"
    )


TASK = Task(
    title="predict what a crash at D leaves",
    answer="prediction",
    tier="warm-up",
    show=show,
    check=check,
    hints=(
        "Which of the four writes had life 1 done for hour 4 when it died at D? What does life 2 find?",
        "Life 2 finds a window that holds hour 4 already, and positions that say hour 4 is still to be read. "
        "Write down the hours in the window after each push, from hour 3 on, and trim to two hours.",
        "The windows are 3 3 4 4 for life 1 at hour 4, then 3 3 4 4 4 4 for life 2. What are they at hours 5 and 6?",
        "At hour 5 the window is 4 4 4 4 5 5, and at hour 6 it is 5 5 6 6. For the counter: without a crash it ends "
        "at 7, once for each of the hours 2 to 8. How many passes had more than three numbers?",
    ),
)
