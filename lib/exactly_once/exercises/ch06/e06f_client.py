"""Exercise 06f, a challenge: consume, transform, produce, in a cluster where any request may fail."""

from html import escape

import pandas as pd

from ... import show as drawing
from ...errors import BadInput
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import called
from ..kinds.task import Task
from .cluster import FAULTS, OFFSETS, OUTPUTS, calm, hunted

RECORDS = ("tea", "milk")
WORLDS = (((RECORDS[0],), 2), (RECORDS, 1))  # records, and how many faults strike in one run
SECONDS = 120.0  # a guard; it takes some seconds
CALLS = (
    (
        "init()",
        "(producer, epoch)",
        "Begin; every earlier incarnation is fenced, and its open transaction is aborted.",
    ),
    ("position()", "a number", "The committed position: the number of the next record."),
    ("read(position)", "a text, or None", "The record at a position; None behind the last one. It never fails."),
    ("send(producer, epoch, output, value)", "None", "Append a value to 'upper' or 'length', in the transaction."),
    ("offsets(producer, epoch, position)", "None", "Make a position part of the transaction."),
    (
        "end(producer, epoch, result)",
        "(producer, epoch)",
        "'commit' or 'abort'; the next transaction has the new epoch.",
    ),
    ("save(position)", "None", "Commit a position at once, outside of any transaction."),
)
SHOWN = 30  # events of a run; of a longer one the last


def check(answer):
    """Let nothing go wrong first; then try each single fault, and then each pair."""
    if unwritten(answer):
        return unsolved("your program")
    first = called(calm, answer, RECORDS)
    if not first.verbs and not first.traceback:
        return unsolved("the body of your program")
    if first.sentence:
        return wrong(
            f"Even when nothing goes wrong: {first.sentence}", picture=drawn(first), traceback=first.traceback
        )
    found, runs = called(hunted, answer, WORLDS, seconds=SECONDS)
    if found is not None:
        number = ("", "One fault: ", "Two faults: ")[len(found.faults)]
        return wrong(f"{number}{found.sentence}", picture=drawn(found), traceback=found.traceback)
    return right(
        f"Readers saw each result once, in order, and never one without the others: in {runs:,} runs, with every "
        f"single fault of {len(FAULTS)} kinds at each request where it makes a difference, and, for one record, with "
        "every two of them. Epochs keep old requests out, your program repeats `end` until it gets an answer, and it "
        "begins undecided work again from the committed position.",
        picture=drawn(first, "When nothing goes wrong"),
    )


def unwritten(answer):
    """Tell whether there is no program yet. Raises `BadInput` for a value that is not a function."""
    if answer is ...:
        return True
    if not callable(answer) or isinstance(answer, type):
        raise BadInput(f"The answer is {repr(answer)[:60]}; it is a function of the cluster, life(cluster).")
    return False


def drawn(found, title="The simplest run against it"):
    """Return the picture of a run: a column for each incarnation, and the readers' final view."""
    events = grouped(found.events)
    lives = sorted({event.life for event, _ in events if event.life})
    rows = [
        {
            **{f"incarnation {life}": event.words if event.life == life else "" for life in lives},
            "what came of it": event.answer + (f" ({times} times)" if times > 1 else ""),
        }
        if event.life
        else {**{f"incarnation {life}": "" for life in lives}, "what came of it": f"{event.words}: {event.answer}"}
        for event, times in events[-SHOWN:]
    ]
    table = pd.DataFrame(rows)
    position = (found.seen[OFFSETS] or [0])[-1]
    tapes = drawing.log({name: found.seen[name] for name in OUTPUTS})
    end = f"What read_committed shows in the end; the committed position is {position}"
    cut = f"<p>(The first {len(events) - SHOWN} steps are left out.)</p>" if len(events) > SHOWN else ""
    return drawing.Picture(
        f'<p class="eo-h">{escape(title)}</p>{cut}<div class="eo-scroll" tabindex="0" role="region" '
        f'aria-label="{escape(title)}">{drawing.table_html(table)}</div><p class="eo-h">{end}</p>{tapes.html}',
        text="\n".join([title, *(str(event) for event, _ in events), f"{end}: {_listed(found.seen)}"]),
    )


def _listed(seen):
    return "; ".join(f"{name}: {', '.join(map(str, seen[name])) or 'nothing'}" for name in OUTPUTS)


def grouped(events):
    """Return (event, how many times in a row)."""
    found = []
    for event in events:
        if found and found[-1][0] == event:
            found[-1] = (event, found[-1][1] + 1)
        else:
            found.append((event, 1))
    return found


def show(answer):
    """Draw a calm run of the program; without a program, its calls and the faults."""
    if not unwritten(answer):
        found = called(calm, answer, RECORDS)
        picture = drawn(found, "When nothing goes wrong")
        said = f"<p><b>{escape(found.sentence)}</b></p>" if found.sentence else ""
        return drawing.Picture(f"{picture.html}{said}", text=f"{picture}\n{found.sentence}".rstrip())
    calls = pd.DataFrame(CALLS, columns=["call", "returns", "what it is for"])
    faults = pd.DataFrame(FAULTS.items(), columns=["fault", "what happens to the request"])
    words = "The faults that may strike, at any request"
    return drawing.Picture(
        f'{drawing.table_html(calls)}<p class="eo-h">{words}</p>{drawing.table_html(faults)}',
        text=f"{calls.to_string(index=False)}\n{words}\n{faults.to_string(index=False)}",
    )


TASK = Task(
    answer="life",
    tier="challenge",
    show=show,
    check=check,
)
