"""Exercise 03b: the position to save while workers finish records in any order."""

import pandas as pd

from ... import show as drawing
from ...errors import BadInput
from ...node import Numbers, Program
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import answers, proved
from ..kinds.task import Task

OFFSETS = range(4)  # of the records in the log that the explorer uses; gaps are the cases' business
LOG = Numbers(len(OFFSETS), ("orders",))
WORKERS = 3
STORY = (3, [3, 4, 7, 8, 9], [4, 3, 8, 9, 7])  # one process, for the picture
CASES = (  # (where a process began, the offsets it handed out, the finished offsets), smallest first
    (0, [0], [0]),
    (0, [0], []),
    (0, [0, 1], [1]),
    (0, [0, 1], [0]),
    (0, [0, 1], [1, 0]),
    (5, [5, 6, 7], [7, 5]),
    (5, [5, 6, 7], [7, 6]),
    (0, [0, 1, 2, 3], [0, 1, 3]),
    (3, [3, 4, 7], [4, 3]),
    (3, [4, 7, 9], [9, 7]),
    (3, [4, 7, 9], [7, 4]),
    (3, [4, 7, 9], [9, 7, 4]),
    (12, [], []),
)


def allowed(began, handed_out, finished):
    """Return (least, most): the positions that lose no record and repeat no record without need."""
    least = began
    for offset in handed_out:
        if offset not in finished:
            return least, offset
        least = offset + 1
    return least, least


def consumer_with(position):
    """Return the program of a consumer whose workers finish in any order, with `position` for each save."""

    def consumer(node):
        began = node.positions.load()
        at, handed_out, finished = began, [], []
        while True:
            while len(handed_out) - len(finished) < WORKERS and node.running(at):
                items, at = node.read(at)
                handed_out.append(items[0].offset)
            busy = [offset for offset in handed_out if offset not in finished]
            if not busy:
                return
            done = node.choose(busy)
            node.output.push(done)
            finished.append(done)
            saved = position(began["numbers"], list(handed_out), list(finished))
            node.positions.save({"numbers": min(max(saved, 0), len(OFFSETS))})

    return Program(consumer, LOG)


def nothing_lost(view):
    """In the end every record had its effect."""
    lost = [offset for offset in OFFSETS if offset not in view.outputs]
    return not view.done or not lost or f"the record at offset {lost[0]} never has its effect"


def objection(began, handed_out, finished, said):
    """Return a sentence on the mistake in one position, or None."""
    least, most = allowed(began, handed_out, finished)
    if type(said) is not int:
        return f"It returns {said!r}; a position is an offset, a whole number."
    if said > most and most in handed_out:
        return (
            f"It says {said}, but a worker still has the record at offset {most}. If the process dies now, the next "
            f"process begins at {said}, and that record never has its effect."
        )
    if said > most:
        return (
            f"It says {said}, but no record from offset {most} on was read: the next record there would be skipped."
        )
    if said < least:
        again = next(offset for offset in handed_out if offset >= said) if handed_out else said
        return (
            f"It says {said}, but all records before {least} are finished. After a crash the record at offset "
            f"{again} would be done again without need."
        )
    return None


def check(answer):
    """Ask for the position in growing cases, and answer one that loses a record with the schedule that loses it."""
    if has_dots(answer):
        return unsolved("your function")
    told = _told(answer, CASES)
    if all(fine and said is None for fine, said in told):
        return unsolved("the body of your function")
    for case, (fine, said) in zip(CASES, told, strict=True):
        sentence = objection(*case, said) if fine else f"it fails with {said}."
        if sentence:
            found = None
            if fine and type(said) is int and said > allowed(*case)[1]:
                found = proved(consumer_with(answer), nothing_lost, None, crashes=1).counterexample
            said_of = f"{_words(*case)}: {sentence[0].lower()}{sentence[1:]}"
            if found:
                said_of += f" One crash in a longer run: {found.sentence[0].lower()}{found.sentence[1:]}"
            return wrong(said_of, found, consumer_with(answer), None if found else drawn(answer, case))
    proof = proved(consumer_with(answer), nothing_lost, None, crashes=1)
    if not proof.ok:
        return wrong(f"One crash: {proof.sentence}", proof.counterexample, consumer_with(answer))
    return right(
        "Every record before the position is finished, so none is lost, and none is done again without need. "
        f"Proved for {len(OFFSETS)} records, {WORKERS} workers that finish in any order, and one crash anywhere "
        f"({proof.states:,} states). A crash repeats the records that were finished ahead of the slowest worker.",
        picture=drawn(answer, STORY),
    )


def _told(answer, cases):
    if not callable(answer):
        raise BadInput(f"The answer is {answer!r}; it is a function of an offset and of two lists of offsets.")
    return answers(answer, [[began, list(handed), list(done)] for began, handed, done in cases])


def _words(began, handed_out, finished):
    """Say a case in words."""
    handed = f"the records at {_listed(handed_out)} are handed out" if handed_out else "nothing is handed out"
    done = f", {_listed(finished)} {'is' if len(finished) == 1 else 'are'} finished" if finished else ""
    return f"A process began at {began}, {handed}{done or ', none is finished'}"


def _listed(offsets):
    return ", ".join(map(str, offsets))


def drawn(answer, case):
    """Return the picture of one process: the workers and the position to save, after each finished record."""
    began, handed_out, finished = case
    moments = [finished[:count] for count in range(len(finished) + 1)]
    told = [None] * len(moments)
    if answer is not None:
        told = _told(answer, [(began, handed_out, moment) for moment in moments])
    rows = [
        {"finished": moment[-1] if moment else "–"}
        | {f"offset {offset}": "done" if offset in moment else "at work" for offset in handed_out}
        | {"your position": "" if each is None else each[1] if each[0] else f"fails with {each[1]}"}
        for moment, each in zip(moments, told, strict=True)
    ]
    table = pd.DataFrame(rows)
    words = f"A process that began at position {began}, and handed out {_listed(handed_out) or 'nothing'}"
    return drawing.Picture(
        f'<p class="eo-h">{words}</p>{drawing.table_html(table)}', text=f"{words}\n{table.to_string(index=False)}"
    )


def show(answer):
    """Draw the positions that an answer gives in one process."""
    return drawn(None if has_dots(answer) else answer, STORY)


TASK = Task(
    answer="position",
    show=show,
    check=check,
)
