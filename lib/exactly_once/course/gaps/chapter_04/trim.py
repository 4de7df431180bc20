"""Gap 04-trim: which readings of a window are those of the last hours?"""

from collections import Counter

import pandas as pd

from .... import show as drawing
from ....pipeline import Job, Window
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap

HOURS = 3
CASES = {  # of each case: the hours of the readings, stream by stream, and what is special about it
    "one reading in each hour": ([1, 2, 3, 4, 5], []),
    "two readings in each hour": ([1, 2, 3, 4], [1, 2, 3, 4]),
    "nothing that is too old": ([4, 5], [4]),
    "one hour twice": ([1, 2, 3, 3, 4], []),
    "a stream that is behind": ([3, 4, 5], [1, 2, 3]),
}


def trim(readings, hours):
    """Return the readings of the last `hours` hours, counted back from the newest one."""
    newest = max(reading.hour for reading in readings)
    return [reading for reading in readings if reading.hour > newest - hours]


def readings_of(case):
    """Return the list of `Reading`s of a case, in the order in which they were pushed."""
    streams = Job(items=6).inputs().values()
    return [stream[hour - 1] for stream, hours in zip(streams, CASES[case], strict=True) for hour in hours]


def check(answer):
    """Ask the learner's function about windows with old readings, none, one twice, and a stream that is behind."""
    asked = {case: readings_of(case) for case in CASES}
    told = answers(answer, [[readings, HOURS] for readings in asked.values()])
    if all(fine and (said is None or said is ...) for fine, said in told):
        return unsolved("your lines, with a return at their end,")
    for (case, readings), (fine, said) in zip(asked.items(), told, strict=True):
        wanted = trim(readings, HOURS)
        if not fine:
            return wrong(f"With {case}, your lines fail with {said}.")
        if not isinstance(said, (list, tuple)):
            return wrong(f"With {case}, it returns {said!r}; give a list of readings.")
        if strange := [one for one in said if one not in readings]:
            return wrong(f"With {case}, its list holds {strange[0]!r}, which is none of the readings.")
        if Counter(said) != Counter(wanted):
            return wrong(_difference(case, said, wanted), picture=_picture(readings, said, wanted))
    return right(
        "It drops what is too old, and nothing else. Note that it does not ask whether a reading is there twice."
    )


def _difference(case, said, wanted):
    kept, lost = Counter(said) - Counter(wanted), Counter(wanted) - Counter(said)
    newest = max(reading.hour for reading in wanted)
    what = (
        f"With {case}, the newest hour is {newest}, so the last {HOURS} hours are {newest - HOURS + 1} to {newest}."
    )
    if kept:
        return f"{what} Your lines keep a reading of hour {next(iter(kept)).hour}."
    return f"{what} Your lines drop a reading of hour {next(iter(lost)).hour}."


def _picture(readings, said, wanted):
    """Draw which of the readings should stay, and which did."""
    rows, left, right_ones = [], Counter(said), Counter(wanted)
    for reading in readings:
        stays, kept = right_ones[reading] > 0, left[reading] > 0
        right_ones[reading] -= stays
        left[reading] -= kept
        words = ("✓ " if stays == kept else "✗ ") + ("kept" if kept else "dropped")
        rows.append((reading.hour, reading.stream, "stays" if stays else "goes", words))
    table = pd.DataFrame(rows, columns=["hour", "stream", "should", "with your lines"])
    return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))


GAP = Gap(
    title="drop what is too old",
    judge=check,
    library=trim,
    refuses=(Window.trim,),
    hints=(
        "The clock of the window is its newest reading. Which hour is that? The last of the list need not be it.",
        "`max(reading.hour for reading in readings)` is the newest hour. With 3 hours and a newest hour of 4, the "
        "hours 2, 3 and 4 stay.",
        "A reading stays if its hour is greater than the newest hour less `hours`. Return these in a new list.",
    ),
)
