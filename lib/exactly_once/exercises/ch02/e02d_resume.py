"""Exercise 02d: read on from a saved position without a loss, and report the records already deleted."""

from html import escape

import pandas as pd

from ... import show as drawing
from ...errors import BadInput
from ...log import Pair, open_log
from ...log.errors import LogError
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import AnswerFailed, called
from ..kinds.task import Task

CASES = (  # the smallest log that shows a mistake stands first
    {"records": 0},
    {"records": 3},
    {"records": 3, "committed": 1},
    {"records": 3, "committed": 3},
    {"records": 4, "deleted": 2},
    {"records": 4, "deleted": 2, "committed": 0},
    {"records": 4, "deleted": 2, "committed": 2},
    {"records": 4, "deleted": 4, "committed": 1},
    {"records": 6, "compacted": True, "committed": 0},
    {"records": 6, "compacted": True, "committed": 1},
    {"records": 600, "committed": 10},
)


def made(records, deleted=0, compacted=False, committed=None):
    """Return a log in memory with a number of records in the topic orders, which has one partition."""
    log = open_log("memory:")
    log.create_topic("orders", segment_bytes=1, compact=compacted)
    for number in range(records):
        log.append("orders", 0, [Pair("ann" if compacted and number < 4 else f"key {number}", f"order {number}")])
    if deleted:
        log.delete_records("orders", 0, deleted)
    if compacted:
        log.compact("orders", 0)
    return log


def expected(case):
    """Return (values, position, missed) as the task wants them, from the log itself."""
    log, committed = made(**case), case.get("committed")
    start = log.log_start("orders", 0)
    position = start if committed is None else max(committed, start)
    values = [record.value for record in log.fetch("orders", 0, position)]
    return values, log.high_watermark("orders", 0), position - (position if committed is None else committed)


def tried(function, case):
    """Return the result of the learner's function for a case."""
    return function(made(**case), case.get("committed"))


def check(answer):
    """Let a learner's function read logs of growing difficulty."""
    if has_dots(answer):
        return unsolved("your function")
    if not callable(answer):
        raise BadInput(f"The answer is {answer!r}; it is a function of a log and a committed offset.")
    for case in CASES:
        try:
            said = called(tried, answer, case)
        except (AnswerFailed, LogError) as why:
            trace = getattr(why, "traceback", "")
            return wrong(f"{_told(case)} {why} {_failure(case, str(why))}", picture=drawn(case), traceback=trace)
        if said is None:
            return unsolved("the body of your function")
        if objection := _objection(case, said):
            objection = objection[0].lower() + objection[1:]
            return wrong(f"{_told(case)} {objection}", picture=drawn(case, said))
    return right(
        "Nothing that was there is left out, nothing is read twice, and what retention took is counted and not "
        "passed over in silence.",
        picture=drawn(CASES[5], called(tried, answer, CASES[5])),
    )


def _told(case):
    committed = case.get("committed")
    saved = "nothing" if committed is None else f"offset {committed}"
    gone = f" of which those before offset {case['deleted']} were deleted," if case.get("deleted") else ""
    gone += " which was compacted," if case.get("compacted") else ""
    return f"For a log of {case['records']} records,{gone} with {saved} committed:"


def _failure(case, why):
    if "does not exist" not in why:
        return ""
    if case.get("committed") == case["records"] or not case["records"]:
        return "The end of a log is a place to read from: the answer is an empty list, and no error."
    return "The committed offset lies before the log start. Read from the log start on."


def _objection(case, said):
    """Return a sentence on the mistake in an answer, or None."""
    try:
        values, position, missed = said
        values = list(values)
    except (TypeError, ValueError):
        return f"It returns {said!r}; return three things: the values, the new position, the number that was missed."
    right_values, end, gone = expected(case)
    values = [getattr(value, "value", value) for value in values]
    if values != right_values:
        lost = [value for value in right_values if value not in values]
        if lost:
            return f"It does not return {lost[0]!r}, which was there to be read. Go on until a fetch returns nothing."
        if len(values) > len(right_values):
            return (
                f"It returns {len(values)} values, but from that offset on there are only {len(right_values)}. "
                "Some of the values stand before it."
            )
        return "It returns the right values in another order. Keep the order of the log."
    if type(position) is not int or not _same_place(case, position, end):
        return (
            f"It says that the next position is {position!r}. The next position is {end}, the offset after the last "
            "record that was read. An offset is not a number of records: retention and compaction leave gaps."
        )
    if missed != gone or isinstance(missed, bool):
        return (
            f"It says that {missed!r} records were missed. It should say {gone}: the offsets from the committed "
            "one to the log start. No error reports them later."
        )
    return None


def _same_place(case, position, end):
    """Tell whether reading on from a position is reading on from the end: compaction may leave a gap before it."""
    log = made(**case)
    last = [record.offset for record in log.fetch("orders", 0, log.log_start("orders", 0))][-1:]
    return (last[0] + 1 if last else end) <= position <= end


def drawn(case, said=None):
    """Return the picture of a log as a tape, with log start, committed offset and end, and the answer."""
    log, committed = made(**case), case.get("committed")
    there = {record.offset: record.value for record in log.fetch("orders", 0, log.log_start("orders", 0))}
    start, end = log.log_start("orders", 0), log.high_watermark("orders", 0)
    rows = []
    for offset in range(min(end, 8) + 1):
        here = [name for name, at in (("log start", start), ("committed", committed), ("end", end)) if at == offset]
        state = there.get(offset, "" if offset >= end else "deleted" if offset < start else "compacted away")
        rows.append({"offset": offset, "record": state, "here": ", ".join(here)})
    table = pd.DataFrame(rows, columns=["offset", "record", "here"])
    words = "" if said is None else f"Your function: {_short(said)}"
    more = f" … and so on to the end, {end}." if end > 8 else ""
    return drawing.Picture(
        f"{drawing.table_html(table)}<p>{escape(more)}<b>{escape(words)}</b></p>",
        text=f"{table.to_string(index=False)}\n{more}{words}",
    )


def _short(said):
    text = repr(said)
    return text if len(text) < 300 else f"{text[:300]} …"


def show(answer):
    """Draw the answer's reading of a log without its first records."""
    case = CASES[5]
    if has_dots(answer):
        return drawn(case)
    if not callable(answer):
        raise BadInput(f"The answer is {answer!r}; it is a function of a log and a committed offset.")
    return drawn(case, called(tried, answer, case))


TASK = Task(
    answer="resume",
    show=show,
    check=check,
)
