"""Exercise 09c: the schedule that breaks a queue whose compare-and-swap knows no versions."""

from html import escape

import pandas as pd

from ... import show as drawing
from ...errors import BadInput
from ..kinds.reply import right, unsolved, wrong
from ..kinds.task import Task

NAMES = {"P": "pushes tea", "Q": "pushes milk", "R": "retention"}
EMPTY, HINT, FIRST = None, "hint", "first"
LONGEST = 40


class Cells:
    """Registers with both kinds of compare-and-swap; `versions` tells which of the two counts."""

    def __init__(self, versions):
        self.versions, self.held = versions, {}

    def read(self, name):
        """Return (version, value)."""
        return self.held.get(name, (0, EMPTY))

    def cas(self, name, version, expected, value):
        """Write if the version, or else the value, is the expected one; return whether it was."""
        now, held = self.read(name)
        fits = now == version if self.versions else held == expected
        if fits:
            self.held[name] = (now + 1, value)
        return fits


def push(cells, value):
    """Push a value, step by step; yields the result of each step."""
    version, hint = cells.read(HINT)
    index = hint or 0
    yield f"reads the hint: {index}"
    while not cells.cas(index, 0, EMPTY, value):
        yield f"finds cell {index} taken"
        index += 1
    yield f"writes {value} into cell {index}"
    moved = index + 1 > (hint or 0) and cells.cas(HINT, version, hint, index + 1)
    yield f"moves the hint to {index + 1}" if moved else "leaves the hint to another"


def sweep(cells):
    """Drop the oldest record, if there is one, step by step; yields the result of each step."""
    version, first = cells.read(FIRST)
    at, value = cells.read(first or 0)
    yield f"looks at cell {first or 0}: {value or 'empty'}"
    if value is EMPTY:
        return
    cells.cas(first or 0, at, value, EMPTY)
    yield f"empties cell {first or 0}"
    cells.cas(FIRST, version, first, (first or 0) + 1)
    yield f"lets readers begin at {(first or 0) + 1}"


def played(schedule, versions):
    """Return (lines, cells) of a schedule. Raises `BadInput` for a step of a process that has finished."""
    cells = Cells(versions)
    alive = {"P": push(cells, "tea"), "Q": push(cells, "milk"), "R": sweep(cells)}
    lines = []
    for number, who in enumerate(schedule, 1):
        words = next(alive[who], None) if who in alive else None
        if words is None:
            if versions:
                continue  # another cell may take another number of steps
            raise BadInput(
                f"Step {number} is one of {who}, which has finished before. Leave it out, or let {who} begin later."
            )
        lines.append((who, words))
    for who, steps in alive.items():
        lines += [(who, words) for words in steps]
    return lines, cells.held


def ghost(held):
    """Return (index, value) of a record where no reader looks any more, or None."""
    first = held.get(FIRST, (0, 0))[1]
    return next(((index, held[index][1]) for index in range(first) if held.get(index, (0, EMPTY))[1]), None)


def read(answer):
    """Return the schedule of an answer as a string of letters. Raises `BadInput` for another form."""
    letters = "".join(answer) if isinstance(answer, (list, tuple)) and all(map(_is_text, answer)) else answer
    if not isinstance(letters, str):
        raise BadInput(f"The answer is {answer!r}; it is a text such as 'PQQR', a letter for each step.")
    letters = "".join(letters.split()).upper()
    if unknown := [letter for letter in letters if letter not in NAMES]:
        raise BadInput(f"There is no process {unknown[0]!r}; they are {', '.join(NAMES)}.")
    if len(letters) > LONGEST:
        raise BadInput(f"The schedule has {len(letters)} steps; all three have ended after far fewer.")
    return letters


def _is_text(one):
    return isinstance(one, str)


def check(answer):
    """Perform the schedule with and without versions."""
    if answer is ...:
        return unsolved("your schedule")
    letters = read(answer)
    lines, held = played(letters, versions=False)
    if (found := ghost(held)) is None:
        return wrong(_why_not(lines), picture=drawn(letters))
    index, value = found
    with_versions = played(letters, versions=True)[1]
    if ghost(with_versions) is not None:  # cannot be: version 0 fits once
        return wrong("It breaks the queue with versions as well.", picture=drawn(letters))
    place = next(cell for cell, (_, one) in with_versions.items() if one == value)
    return right(
        f"The push of {value} returned, and its record stands in cell {index}, where no reader looks any more: a "
        f"ghost. Cell {index} was empty, full and empty again, and by its value it looks untouched (ABA). With "
        f"versions the same schedule puts {value} into cell {place}: the emptied cell has kept its version, and "
        "version 0 never fits again.",
        picture=drawn(letters),
    )


def _why_not(lines):
    """Return why a schedule leaves no ghost."""
    swept = [number for number, (_, words) in enumerate(lines) if words.startswith("empties")]
    if not swept:
        return (
            "Retention comes too early: it finds no record, and drops none. No cell is emptied, so none can be taken "
            "for one that was never written."
        )
    first = {who: number for number, (who, _) in reversed(list(enumerate(lines)))}
    writes = {who: number for number, (who, words) in enumerate(lines) if words.startswith("writes")}
    late = [who for who in ("P", "Q") if writes[who] > swept[0]]
    if not late:
        return (
            "Both records are in their cells before one is emptied, so no process writes afterwards. Which must "
            "still have a write before it, when the cell is emptied?"
        )
    knows = "read the hint after it was moved" if first[late[0]] > swept[0] else "is past the cell that is emptied"
    return (
        f"{late[0]} writes after the cell is emptied, and into another one: it {knows}. What must it know, or not "
        "know, when it wakes up?"
    )


def drawn(letters, both=True):
    """Return the picture of a schedule, step by step, compared by value, and if `both` also by version."""
    pictures, texts = [], []
    for versions, title in ((False, "Compared by value"), (True, "The same schedule, compared by version"))[
        : 1 + both
    ]:
        lines, held = played(letters, versions)
        rows = [{f"{who}, {NAMES[who]}": words if who == whose else "" for who in NAMES} for whose, words in lines]
        cells = pd.DataFrame(
            [
                {
                    "cell": index,
                    "version": held.get(index, (0, EMPTY))[0],
                    "holds": held.get(index, (0, EMPTY))[1] or "",
                    "readers": "read on from here" if index >= held.get(FIRST, (0, 0))[1] else "do not come here",
                }
                for index in range(1 + max((index for index in held if isinstance(index, int)), default=0))
            ]
        )
        steps = pd.DataFrame(rows)
        pictures += [
            f'<p class="eo-h">{escape(title)}</p>',
            drawing.table_html(steps),
            '<p class="eo-h">In the end</p>',
            drawing.table_html(cells),
        ]
        texts += [title, *(f"{who}: {words}" for who, words in lines), cells.to_string(index=False)]
    return drawing.Picture("".join(pictures), text="\n".join(texts))


def show(answer):
    """Draw the schedule; without one, each process to its end."""
    return drawn("", both=False) if answer is ... else drawn(read(answer))


TASK = Task(
    answer="schedule",
    show=show,
    check=check,
)
