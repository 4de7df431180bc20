"""Exercise 05c: how Java's client reacts to a refused number, after a clean restart of the broker."""

import pandas as pd

from ... import show as drawing
from ...errors import BadInput, one_of
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.task import Task
from .wire import AFTER, BEFORE, CONNECTION, MISHAPS, played

BATCHES = "abcdef"
MISHAPS_ASKED = ("doubles", "expires", "harmless")
NAMES = ("doubles", "log", "expires", "harmless")


def read(answer):
    """Return the answer, or None for one with dots. Raises `BadInput` for another form."""
    if not isinstance(answer, dict) or set(answer) != set(NAMES):
        if answer is ...:
            return None
        raise BadInput(f"The answer is {answer!r}; it is a dictionary with {', '.join(NAMES)}.")
    if has_dots(answer) or any(has_dots(answer[name]) for name in MISHAPS_ASKED):
        return None
    for name in MISHAPS_ASKED:
        mishap = answer[name]
        if not isinstance(mishap, (tuple, list)) or len(mishap) != 2:
            raise BadInput(f"{name} is {mishap!r}; it is a mishap and a batch, such as ('connection', 'a').")
        one_of(f"The mishap of {name}", mishap[0], MISHAPS)
        one_of(f"The batch of {name}", mishap[1], tuple(BATCHES))
    if not isinstance(answer["log"], str) or set(answer["log"]) - set(BATCHES):
        raise BadInput(f"log is {answer['log']!r}; write the batches in the log in order, such as 'abc'.")
    return {**answer, **{name: tuple(answer[name]) for name in MISHAPS_ASKED}}


def run(mishap=None):
    """Return the burst of the six batches; `mishap` is a kind of mishap and a batch's letter."""
    return played(len(BATCHES), mishap and (mishap[0], BATCHES.index(mishap[1]) + 1))


def logged(burst):
    """Return a burst's log in letters."""
    return "".join(BATCHES[record - 1] for record in burst.log)


def check(answer):
    """Play the three mishaps, and compare the log of the first."""
    said = read(answer)
    if said is None:
        return unsolved("your four answers")
    burst = run(said["doubles"])
    if not burst.doubled:
        return wrong(f"doubles: {_not_doubled(said['doubles'], burst)}", picture=requests(burst, said["doubles"]))
    if said["log"] != logged(burst):
        return wrong(f"log: {_other_log(said, burst)}", picture=requests(burst, said["doubles"]))
    late = run(said["expires"])
    if not late.expired:
        return wrong(f"expires: {_not_expired(said['expires'], late)}", picture=requests(late, said["expires"]))
    calm = run(said["harmless"])
    if calm.doubled or calm.expired:
        harm = "batches are in the log twice" if calm.doubled else "a batch that is in the log expires"
        return wrong(
            f"harmless: after {_spoken(said['harmless'])}, {harm}. Which batch does the broker still know after its "
            "restart?",
            picture=requests(calm, said["harmless"]),
        )
    return right(
        "The same refusal has two outcomes. If no batch behind the refused one was acknowledged, Java bumps the "
        "epoch and numbers all batches in flight from 0. The broker's window knows the old epoch only, so all of "
        "them are written again. If a batch behind it was acknowledged, Java waits for a gap to close, until the "
        "batch expires. There is no gap: the application gets a TimeoutException for a record that is in the log.",
        picture=requests(burst, said["doubles"]),
    )


def _spoken(mishap):
    what, batch = mishap
    return {
        CONNECTION: f"the loss of the connection, with the answers to {batch} and to all behind it",
        AFTER: f"the error NotEnoughReplicasAfterAppend for {batch}",
        BEFORE: f"the error NotEnoughReplicas for {batch}",
    }[what]


def _not_doubled(mishap, burst):
    what, batch = mishap
    if burst.expired:
        return (
            f"{batch} is refused, and not written again. Batches behind {batch} were acknowledged, so it is not the "
            "next one after the last acknowledged: Java bumps no epoch, and sends it again until it expires."
        )
    return _recognised(what, batch)


def _recognised(what, batch):
    if what == BEFORE:
        return f"{batch} is not in the log when it comes again; it is the next number, and is written once."
    return (
        f"When {batch} comes again, it is the newest batch that the broker wrote: the snapshot holds that one, and "
        "the broker recognises it."
    )


def _other_log(said, burst):
    batch, log = said["doubles"][1], said["log"]
    if log == BATCHES:
        return (
            f"{batch} is refused as out of order, and is the next one after the last acknowledged: Java bumps the "
            "epoch, and writes it again."
        )
    if log == BATCHES + batch and len(burst.log) > len(log):
        return (
            f"{batch} comes again in the new epoch, and not alone: Java numbers all batches in flight anew, also "
            "those that the broker has."
        )
    missing = [each for each in BATCHES if each not in log]
    if missing:
        return f"you left out {missing[0]}: it was written before anything was refused."
    return f"the log is not {log!r}. Batches that are written again stand behind all others."


def _not_expired(mishap, burst):
    what, batch = mishap
    if burst.doubled:
        return (
            f"with the answer to {batch} those behind it are lost, too. So {batch} is the next one after the last "
            "acknowledged: Java bumps the epoch, and nothing expires."
        )
    return _recognised(what, batch)


def requests(burst, mishap):
    """Return the picture of a burst: each request, the broker's action and reply, and its window afterwards."""
    rows = [
        {
            "batch": BATCHES[one.record - 1],
            "number": f"{one.number} (epoch {one.epoch})" if one.epoch else str(one.number),
            "sent": "first" if one.time == 1 else "again",
            "the broker": one.done,
            "what came back": one.came_back,
            "its window then": " ".join(map(str, one.window)) or "–",
        }
        for one in burst.requests
    ]
    table = pd.DataFrame(rows, index=range(1, len(rows) + 1)).rename_axis("request").reset_index()
    end = f"In the log in the end: {logged(burst)}{'; a batch has expired' * burst.expired}."
    title = f"After {_spoken(mishap)}; the broker restarts before anything is sent again"
    return drawing.Picture(
        f'<p class="eo-h">{title}</p>{drawing.table_html(table)}<p><b>{end}</b></p>',
        text=f"{title}\n{table.to_string(index=False)}\n{end}",
    )


def show(answer):
    """Draw the first sends of the burst under each of the three mishaps, without the end."""
    said = read(answer)
    mishaps = {name: said[name] for name in MISHAPS_ASKED} if said else {"nothing goes wrong": None}
    columns = {
        name: [one.came_back for one in run(mishap).requests if one.time == 1] for name, mishap in mishaps.items()
    }
    table = pd.DataFrame({"batch": list(BATCHES), "number": range(len(BATCHES)), **columns})
    words = "The first answer to each batch"
    return drawing.Picture(
        f'<p class="eo-h">{words}</p>{drawing.table_html(table)}', text=f"{words}\n{table.to_string(index=False)}"
    )


TASK = Task(
    answer="answer_c",
    show=show,
    check=check,
)
