"""Exercise 03a: which records are lost and doubled by one plan, under all four settings of producer and consumer."""

import functools

import pandas as pd

from ... import show as drawing
from ...delivery.run import deliver
from ...errors import BadInput, whole
from ...faults import Fault, FaultPlan
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.task import Task

RECORDS, BATCH = 8, 3
SENDING = FaultPlan([Fault("output.push", 2, "lost reply"), Fault("output.push", 5, "lost request")])
RECEIVING = FaultPlan([Fault("database.increment", 6, "crash after")])
SETTINGS = [(retry, position) for retry in ("retry", "give up") for position in ("last", "first")]
KINDS = ("lost", "doubled")


@functools.cache
def run(setting):
    """Return the `Delivery` of one setting."""
    return deliver(*setting, "add", SENDING, RECEIVING, records=RECORDS, batch=BATCH)


def read(answer):
    """Return {setting: {"lost": set, "doubled": set}} of a prediction, or None for one with dots left.

    Raises `BadInput` for an answer of another form.
    """
    if has_dots(answer) or (isinstance(answer, dict) and any(has_dots(said) for said in answer.values())):
        return None
    if not isinstance(answer, dict) or set(answer) != set(SETTINGS):
        raise BadInput(f"The prediction is {answer!r}; it has an entry for each of {', '.join(map(str, SETTINGS))}.")
    return {setting: {kind: _numbers(kind, answer[setting]) for kind in KINDS} for setting in SETTINGS}


def _numbers(kind, said):
    if not isinstance(said, dict) or set(said) != set(KINDS):
        raise BadInput(f"An entry of the prediction is {said!r}; it is a dictionary with lost and doubled.")
    try:
        numbers = [said[kind]] if isinstance(said[kind], int) else list(said[kind])
    except TypeError:
        raise BadInput(f"{kind} is {said[kind]!r}; give a list of records, such as [1, 2], or [] for none.") from None
    return {whole(f"a record that is {kind}", number, least=1, most=RECORDS) for number in numbers}


def check(answer):
    """Compare a prediction with the result of each setting."""
    said = read(answer)
    if said is None:
        return unsolved("your predictions")
    for setting in SETTINGS:
        end = run(setting).end
        for kind in KINDS:
            found = set(getattr(end, kind))
            if said[setting][kind] != found:
                return wrong(_difference(setting, kind, said[setting][kind], found), picture=drawn(setting))
    return right(
        "All four settings are right. " + " ".join(_told(setting) for setting in SETTINGS), picture=table(_found())
    )


def _difference(setting, kind, said, found):
    named = f"With {setting!r}"
    if too_many := sorted(said - found):
        return f"{named}, record {too_many[0]} is not {kind}: {_why(setting, kind, too_many[0], False)}"
    number = min(found - said)
    return f"{named}, you left a record out under {kind!r}: {_why(setting, kind, number, True)}"


def _why(setting, kind, number, is_so):
    """Return why a record is, or is not, lost or doubled, from its place in the log and its batch."""
    retry, position = setting
    log = run(setting).end.log
    if number not in log:
        return "its only request was lost, and the producer did not send it again."
    batch = log[log.index(number) // BATCH * BATCH :][:BATCH]
    dies = 6 in batch and run(setting).struck
    if kind == "doubled" and log.count(number) > 1:
        return "its acknowledgement was lost, so it was sent again, and is in the log twice."
    if not is_so and number == 2 and retry == "give up":
        return "its acknowledgement was lost, and the producer did not send it again: it is in the log once."
    if not is_so and number == 5 and retry == "retry":
        return "its request was lost, and it was sent again: it is in the log once."
    where = f"it is in the batch {', '.join(map(str, batch))}"
    if not dies:
        return f"{where}, which one process handled from beginning to end."
    if position == "last":
        return f"{where}, which the next process reads from its beginning, so effects before the death are repeated."
    return f"{where}, whose position was saved first: a record without an effect before the death never has one."


def _told(setting):
    end = run(setting).end
    said = [f"{kind} {', '.join(map(str, getattr(end, kind)))}" for kind in KINDS if getattr(end, kind)]
    return f"{', '.join(setting)}: {' and '.join(said)}."


def _found():
    return {setting: {kind: set(getattr(run(setting).end, kind)) for kind in KINDS} for setting in SETTINGS}


def drawn(setting):
    """Return the steps of the run of one setting, as a table."""
    rows = [(place, moment.who, moment.text) for place, moment in enumerate(run(setting).moments, 1)]
    steps = pd.DataFrame(rows, columns=["step", "who", "what"])
    log = " ".join(map(str, run(setting).end.log))
    told = f"The log in the end: {log}. Batches are cut every {BATCH} offsets."
    return drawing.Picture(f"<p>{told}</p>", steps, told, "All steps of this run")


def table(said):
    """Return a prediction as a table, a row for each setting."""
    rows = [
        (*setting, *(", ".join(map(str, sorted(said[setting][kind]))) or "–" for kind in KINDS))
        for setting in SETTINGS
    ]
    listed = pd.DataFrame(rows, columns=["producer", "position", *KINDS])
    return drawing.Picture(drawing.table_html(listed), text=listed.to_string(index=False))


def show(answer):
    """Draw a prediction, right or not."""
    said = read(answer)
    if said is None:
        return drawing.Picture("<p>There is no prediction yet.</p>", text="There is no prediction yet.")
    return table(said)


TASK = Task(
    answer="prediction",
    tier="warm-up",
    show=show,
    check=check,
)
