"""Exercise 06f, a challenge: consume, transform, produce, in a cluster where any request may fail."""

from html import escape

import pandas as pd

from .... import show as drawing
from ....errors import BadInput
from ..reply import right, unsolved, wrong
from ..run_answer import called
from ..task import Task
from .cluster import FAULTS, OFFSETS, OUTPUTS, calm, hunted

RECORDS = ("tea", "milk")
WORLDS = (((RECORDS[0],), 2), (RECORDS, 2))  # records, and how many faults strike in one run
SECONDS = 120.0  # a guard; it takes some seconds
CALLS = (
    ("init()", "(producer, epoch)", "Begin; every life before this one is fenced, and what it left open is aborted."),
    ("position()", "a number", "The committed position: the number of the next record."),
    ("read(position)", "a text, or None", "The record at a position; None behind the last one. It never fails."),
    ("send(producer, epoch, output, value)", "None", "Append a value to 'upper' or 'length', in the transaction."),
    ("offsets(producer, epoch, position)", "None", "Make a position part of the transaction."),
    (
        "end(producer, epoch, result)",
        "(producer, epoch)",
        "'commit' or 'abort'; the epoch to go on with is a new one.",
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
        f"single fault of {len(FAULTS)} kinds at each request where it makes a difference, and with every two of "
        "them. Epochs keep what is old out, the decision is asked for until it is heard, and what was not decided is "
        "begun again from the committed position.",
        picture=drawn(first, "When nothing goes wrong"),
    )


def unwritten(answer):
    """Tell whether there is no program yet. Raises `BadInput` for what is no function."""
    if answer is ...:
        return True
    if not callable(answer) or isinstance(answer, type):
        raise BadInput(f"The answer is {repr(answer)[:60]}; it is a function of the cluster, life(cluster).")
    return False


def drawn(found, title="The simplest run against it"):
    """Return the picture of a run: a column for each life, and what readers see in the end."""
    events = grouped(found.events)
    lives = sorted({event.life for event, _ in events if event.life})
    rows = [
        {
            **{f"life {life}": event.words if event.life == life else "" for life in lives},
            "what came of it": event.answer + (f" ({times} times)" if times > 1 else ""),
        }
        if event.life
        else {**{f"life {life}": "" for life in lives}, "what came of it": f"{event.words}: {event.answer}"}
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
    """Draw what the program does when nothing goes wrong; without one, what it can ask for, and what may happen."""
    if not unwritten(answer):
        found = called(calm, answer, RECORDS)
        picture = drawn(found, "When nothing goes wrong")
        said = f"<p><b>{escape(found.sentence)}</b></p>" if found.sentence else ""
        return drawing.Picture(f"{picture.html}{said}", text=f"{picture}\n{found.sentence}".rstrip())
    calls = pd.DataFrame(CALLS, columns=["call", "returns", "what it is for"])
    faults = pd.DataFrame(FAULTS.items(), columns=["fault", "what happens to the request"])
    words = "What may strike, at any request"
    return drawing.Picture(
        f'{drawing.table_html(calls)}<p class="eo-h">{words}</p>{drawing.table_html(faults)}',
        text=f"{calls.to_string(index=False)}\n{words}\n{faults.to_string(index=False)}",
    )


TASK = Task(
    title="consume, transform, produce",
    answer="life",
    tier="challenge",
    show=show,
    check=check,
    hints=(
        "Begin with the run in which nothing goes wrong: init, and then for each record position, read, two sends, "
        "offsets, end. Then go through the requests one by one: what do you know when it gets no answer? Which of "
        "them can be asked again without harm?",
        "init, position and end can be asked again until they answer: a new init fences the older one, reading "
        "changes nothing, and what is decided stays decided. A send cannot: asked again it is another record. So a "
        "send, or offsets, that fails in any way leads to end(…, 'abort'), and the record is done again from the "
        "position.",
        "After a commit that got no answer assume nothing: ask the same again, and the coordinator says what is so. "
        "ProducerFenced and InvalidTxnState are for you to stop at, without another init: somebody else may have "
        "taken over, and init would fence them in turn. After an abort ask for the position anew, and go on with the "
        "new epoch.",
        "def again(ask, *what): while True: try: return ask(*what); except (OutcomeUnknown, ConcurrentTransactions, "
        "UnstableOffsetCommit): pass. life: me = again(cluster.init); loop: position = again(cluster.position); "
        "record = cluster.read(position); if None: return; try the two sends and offsets(position + 1), result "
        "'commit'; except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch): result 'abort'; me = "
        "again(cluster.end, *me, result). ProducerFenced and InvalidTxnState are not caught.",
    ),
)
