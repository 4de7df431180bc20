"""Exercise 06e: lines of the transaction protocol that can be struck out, and the explorer as the judge of each."""

import functools
from html import escape
from typing import NamedTuple

import pandas as pd

from ... import show as drawing
from ...errors import BadInput, CourseError
from ...explore import prove
from ...handlers.transaction_protocol.program import as_the_abstract_store, transaction_protocol, what_happened
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.task import Task

SECONDS = 120  # a guard; each proof takes a second or two
LINES = {  # by name: the line, and the settings of the protocol without it
    "position": ("The position is written as a part of the transaction.", {"mutant": "offsets outside"}),
    "prepare": (
        "A commit is acknowledged when PrepareCommit is in the coordinator’s log, and not before.",
        {"mutant": "acknowledged early"},
    ),
    "markers": (
        "The coordinator writes a marker to every partition of a transaction.",
        {"mutant": "marker forgotten"},
    ),
    "stable": (
        "Readers with read_committed see nothing from the last stable offset on.",
        {"mutant": "last stable offset too high"},
    ),
    "new incarnation": ("init raises the epoch for a new incarnation.", {"mutant": "epoch not raised"}),
    "waiting": ("init is not answered before all markers of decided transactions are written.",
                {"mutant": "init does not wait"}),
    "new transaction": ("Each end of a transaction raises the epoch, too; its markers carry the raised epoch.",
                        {"protocol": 1}),
    "asking": ("The leader of a partition asks the coordinator whether a batch belongs to an open transaction.",
               {"verification": False}),
}  # fmt: skip
WHOLE = {"protocol": 2, "verification": True}
NOTHING, DEATH, PAUSE, SERVER, LATE, NONE = TROUBLES = ("nothing", "death", "pause", "server", "late", "none")
MEANING = {
    NOTHING: "No trouble is needed: the missing line does harm even when nothing goes wrong.",
    DEATH: "The program dies at some moment, and its next incarnation begins.",
    PAUSE: "The program is stalled, its next incarnation begins, and the first one wakes up.",
    SERVER: "The coordinator, or a broker that leads a partition, dies; another one takes over.",
    LATE: "A record, a request to the coordinator, or a marker arrives late, after its sender has given up on it.",
    NONE: "Without this line none of these troubles does harm, one at a time.",
}
BOUNDS = {  # of each trouble, a list of bounds for one proof each
    NOTHING: ({"lives": 1},),
    DEATH: ({"transactions": 1},),
    PAUSE: ({"transactions": 1, "pauses": 1},),
    SERVER: ({"lives": 1, "deaths": 1},),
    LATE: ({"lives": 1, "late_records": 1}, {"lives": 1, "late_requests": 1}, {"lives": 1, "late_markers": 1}),
}
SMALLER = {DEATH: (NOTHING,), PAUSE: (NOTHING, DEATH), SERVER: (NOTHING,), LATE: (NOTHING,)}


class Judged(NamedTuple):
    """The explorer's verdict on the protocol without a line, in one kind of trouble.

    `sentence` is "" when nothing breaks; if not, `run` is the counterexample, and `events` tell what happens in it.
    `states` were looked at.
    """

    sentence: str
    run: object
    events: tuple
    states: int


@functools.cache
def judged(line, trouble):
    """Return the explorer's verdict on the protocol without a line, in one kind of trouble, as `Judged`."""
    states = 0
    for bounds in BOUNDS[trouble]:
        handler = transaction_protocol(**WHOLE | LINES[line][1] | bounds)
        proof = prove(handler, crashes=0, invariant=as_the_abstract_store, seconds=SECONDS)
        states += proof.states
        if proof.counterexample is not None:
            found = proof.counterexample
            return Judged(found.sentence, found, what_happened(found), states)
        if not proof.exhausted:
            raise CourseError(f"The explorer did not finish: {proof.stopped}. Check the answer once more.")
    return Judged("", None, (), states)


def read(answer):
    """Return the answer, or None for one with dots. Raises `BadInput` for another form."""
    if has_dots(answer):
        return None
    if not isinstance(answer, dict) or set(answer) != set(LINES):
        raise BadInput(f"The answer is {repr(answer)[:80]}; it is a dictionary with {', '.join(map(repr, LINES))}.")
    for line, trouble in answer.items():
        if not isinstance(trouble, str) or trouble not in TROUBLES:
            raise BadInput(f"{line!r} is {trouble!r}; say one of {', '.join(map(repr, TROUBLES))}.")
    return answer


def check(answer):
    """Ask the explorer about each line in the trouble that the answer names, and then in less."""
    said = read(answer)
    if said is None:
        return unsolved("a word for each of the eight lines")
    for line in LINES:
        if reply := objection(line, said[line]):
            return reply
    states = sum(judged(line, each).states for line, trouble in said.items() for each in asked_about(trouble))
    needed = [line for line, trouble in said.items() if trouble != NONE]
    return right(
        f"{len(needed)} of the {len(LINES)} lines are needed, each in the trouble that you name; one line is not "
        f"needed, as long as one thing goes wrong at a time. The explorer went through {states:,} states: two "
        "transactions, or one that two incarnations share; two outputs and the position. An abstract transactional "
        "store had to be able to show everything that readers and producers saw.",
        picture=table(said, {line: judged(line, trouble) for line, trouble in said.items() if trouble != NONE}),
    )


def asked_about(trouble):
    """Return the troubles by which an answer is judged: its own, and the lesser ones."""
    return BOUNDS if trouble == NONE else (*SMALLER.get(trouble, ()), trouble)


def objection(line, trouble):
    """Return the reply to a wrong word for a line, or None."""
    if trouble == NONE:
        for each in BOUNDS:
            if (found := judged(line, each)).sentence:
                return wrong(
                    f"Without {line!r} the protocol breaks ({each}): {_begun(found)}", picture=drawn(line, found)
                )
        return None
    for less in SMALLER.get(trouble, ()):
        if (found := judged(line, less)).sentence:
            return wrong(
                f"Without {line!r} a lesser trouble than {trouble!r} is enough ({less}): {_begun(found)}",
                picture=drawn(line, found),
            )
    if not (found := judged(line, trouble)).sentence:
        return wrong(
            f"Without {line!r} nothing breaks in this trouble ({trouble}): the explorer went through all "
            f"{found.states:,} states. The line struck out was: {LINES[line][0]}"
        )
    return None


def _begun(found):
    return found.sentence.removeprefix("After this schedule ")


def drawn(line, found):
    """Return the picture of the run that breaks the protocol without a line."""
    words = f"The run that breaks the protocol without this line: {LINES[line][0]}"
    picture = drawing.two_levels(found.run)
    return drawing.Picture(
        f'<p class="eo-h">{escape(words)}</p>{picture.fragment()}', text="\n".join([words, *found.events])
    )


def table(said, found=None):
    """Return the picture of the lines, with an answer's words; with `found` also the explorer's verdicts."""
    rows = [
        {
            "name": line,
            "line of the protocol": words,
            **({"yours": said[line] if said[line] is not ... else "–"} if said else {}),
            **({"breaks after": f"{len(found[line].events)} events" if line in found else "–"} if found else {}),
        }
        for line, (words, _) in LINES.items()
    ]
    listed = pd.DataFrame(rows)
    return drawing.Picture(drawing.table_html(listed), text=listed.to_string(index=False))


def show(answer):
    """Draw the lines of the protocol with the answer's words; without an answer, the lines and the troubles."""
    said = read(answer)
    picture = table(said)
    if said is not None:
        return picture
    troubles = pd.DataFrame(MEANING.items(), columns=["word", "the trouble"])
    return drawing.Picture(
        f'{picture.html}<p class="eo-h">The words</p>{drawing.table_html(troubles)}',
        text=f"{picture}\n{troubles.to_string(index=False)}",
    )


TASK = Task(
    answer="answer_e",
    show=show,
    check=check,
)
