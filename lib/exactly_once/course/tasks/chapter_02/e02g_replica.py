"""Exercise 02g: a replica of a partition, leader and follower, that keeps what was acknowledged."""

from html import escape

import pandas as pd

from .... import show as drawing
from ....errors import BadInput
from ..reply import right, unsolved, wrong
from ..run_answer import called
from ..task import Task
from .replicas import METHODS, calm, explore

MOST_STATES = 30_000
SECONDS = 90.0  # a guard; it takes some seconds
ROUNDS = (  # how often each may happen, the smallest search first
    {"writes": 1, "elections": 1, "restarts": 0, "lags": 0, "duplicates": 0},
    {"writes": 2, "elections": 1, "restarts": 1, "lags": 0, "duplicates": 0},
    {"writes": 1, "elections": 1, "restarts": 1, "lags": 1, "duplicates": 1},
    {"writes": 2, "elections": 2, "restarts": 0, "lags": 0, "duplicates": 0},
)
CALLS = (
    (
        "Replica(number, log)",
        "The broker of this number starts, for the first time or again; log is what its disk holds.",
    ),
    (
        "lead(epoch, in_sync)",
        "It leads from now on, in an epoch higher than any before; or in_sync, the list of who is, has changed.",
    ),
    ("follow(epoch)", "Another broker leads from now on, in this epoch; or this one has just started again."),
    ("write(value)", "To the leader: append [epoch, value] to self.log."),
    ("fetch()", "To a follower: return a request."),
    ("serve(follower, request)", "To the leader: return the reply to a follower's request, or None."),
    ("receive(reply)", "A reply arrives, at once, late, after an election or a restart, twice, or never."),
    ("high_watermark", "Of the leader: what lies below it in self.log is acknowledged."),
)


def check(answer):
    """Let nothing go wrong first; then explore every schedule within the bounds, round by round."""
    if unwritten(answer):
        return unsolved("the methods of your class")
    missing = [name for name in METHODS if not callable(getattr(answer, name, None))]
    if missing:
        return wrong(f"Your class has no method {missing[0]}; it needs {', '.join(METHODS)}.")
    found = called(calm, answer)
    if found["sentence"]:
        return _broken(f"Even when nothing goes wrong: {found['sentence']}", found)
    states, limits = 0, []
    for left in ROUNDS:
        found = called(explore, answer, left, MOST_STATES, seconds=SECONDS)
        if found["sentence"]:
            return _broken(found["sentence"], found)
        states += found["states"]
        limits += [found["steps"]] if found["steps"] is not None else []
    cut = f" Of the longest schedules only those of up to {min(limits)} steps were tried." if limits else ""
    return right(
        "What was acknowledged stays, whoever leads, and when nothing goes wrong any more all three logs become one. "
        "Tried were all schedules of two records and two elections; of two records, an election and a restart; and "
        "of one record, an election, a restart, a follower that lags and a reply that arrives twice "
        f"({states:,} states).{cut}"
    )


def unwritten(answer):
    """Tell whether this is the class as it was handed out. Raises `BadInput` for what is no class."""
    if answer is ...:
        return True
    if not isinstance(answer, type):
        raise BadInput(f"The answer is {answer!r}; it is a class, Replica.")
    return not any(callable(held) for held in vars(answer).values())


def _broken(sentence, found):
    return wrong(sentence, picture=drawn(found, "The shortest schedule against it"), traceback=found["traceback"])


def drawn(found, title):
    """Return the picture of what happened, line by line, and of the replicas as they ended."""
    table = pd.DataFrame(found["rows"], columns=["broker", "role", "its log: value (epoch)"])
    lines = "".join(f"<li>{escape(line)}</li>" for line in found["lines"])
    acknowledged = f"Acknowledged: {', '.join(found['acknowledged']) or 'nothing'}."
    return drawing.Picture(
        f'<p class="eo-h">{title}</p><ol>{lines}</ol>{drawing.table_html(table)}<p><b>{acknowledged}</b></p>',
        text="\n".join([*found["lines"], table.to_string(index=False), acknowledged]),
    )


def show(answer):
    """Draw what the class does with two records when nothing goes wrong; without one, what is called when."""
    if unwritten(answer):
        table = pd.DataFrame(CALLS, columns=["what you write", "what it is for"])
        return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))
    return drawn(called(calm, answer), "Two records, when nothing goes wrong")


TASK = Task(
    title="a replica that keeps what was acknowledged",
    answer="Replica",
    tier="challenge",
    show=show,
    check=check,
    hints=(
        "Begin with the leader's question: what does it have to know before it may say that a follower has a record? "
        "Not that it has sent it.",
        "A follower asks from its log end on, so a request says what it has, and a later one that it has the record. "
        "But a log of the same length may hold something else: let the request say of which epoch its last record "
        "is. And a reply may be one of an earlier leader: let it say its epoch, and from which offset it is.",
        "If the leader has a record of the same epoch just before the follower's log end, both have the same up to "
        "there: count it, and send the next one. If not, the follower's last record has to go; then it asks again. "
        "It is never the high watermark that tells where to cut: after a restart it is not known.",
        "fetch: [self.epoch, len(self.log), epoch of the last record]. serve: refuse another epoch; if the log ends "
        "before, or its record before that end is of another epoch, reply [epoch, end, None]: drop your last one; "
        "else note the end of this follower, advance, reply [epoch, end, self.log[end]] if there is one. receive: "
        "only with your epoch and your own log end. advance: the smallest end of all in sync, never backward; forget "
        "the ends when a new epoch begins.",
    ),
)
