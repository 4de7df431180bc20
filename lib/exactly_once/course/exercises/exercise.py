"""The exercises, as a notebook uses them: open one, show an answer, check it, ask for a hint, by calls or by buttons;
and the table of what was done.

from exactly_once.course import exercises
exercise = exercises.open("04d")
"""

import os
import sys
from dataclasses import replace
from typing import Any

import pandas as pd

from ... import show
from ...chapters.items import item
from ...doors import OLDER
from ...errors import BadInput, CourseError, message_of, whole
from ...exercises.kinds.reply import Reply, wrong
from ...solutions import exercise_names, solution_of, words
from .. import copies, my_work, predictions
from ..chapters import chapter_named, one_sentence_errors
from ..classroom.hand_in import share
from ..reset import reset_exercise

LONG = 400  # characters of an error that anybody reads
TRIES = 2  # wrong ones, after which the next hint is offered
SIGNS = {"solved": "✓ solved", "tried": "○ tried"}
_tries = {}  # (wrong answers since the last hint, that hint) of each exercise: of this notebook, not of an object


class Exercise:
    """One exercise: `show(answer)` draws what an answer does, `check(answer)` judges it, `hint(n)` helps.

    As the last line of a cell it is displayed with buttons for the three, which take the answer from the notebook.
    """

    def __init__(self, name: str, task: Any) -> None:
        self.name, self.task = name, task

    @property
    def title(self) -> str:
        """The title, in a few words, as it stands in the solutions."""
        return words(self.name).title

    @property
    def hints(self) -> tuple[str, ...]:
        """The hints, from a nudge to the decisive idea, as they stand in the solutions."""
        return words(self.name).hints

    def __repr__(self) -> str:
        return f"Exercise {self.name}, {self.task.tier}: {self.title}. Hints: hint(1) to hint({len(self.hints)})."

    def _ipython_display_(self) -> None:
        """Show the buttons; a notebook that is read without its kernel has the words, and what to do."""
        from IPython.display import display

        display(self.panel())
        display({"text/plain": "", "text/html": f"<style>{show.GONE}</style>"}, raw=True)

    def panel(self) -> Any:
        """Return the buttons *Show*, *Check* and *Hint*, as a widget."""
        from ...widgets import exercise_panel

        return exercise_panel(self)

    def own_answer(self) -> Any:
        """Return the answer as the notebook has it now. Raises `BadInput` when its cell was not run yet."""
        names = vars(sys.modules["__main__"])  # in a notebook, too, what its cells define
        if self.task.answer not in names:
            raise BadInput(
                f"This notebook has no {self.task.answer} yet. Run the cell that defines it, then try again."
            )
        return names[self.task.answer]

    @property
    def offered(self) -> Any:
        """The number of the hint that is offered, after two wrong answers since the last one; 0 for none."""
        tries, hint = _tries.get(self.name, (0, 0))
        return hint + 1 if tries >= TRIES and hint < len(self.hints) else 0

    def show(self, answer: Any) -> Any:
        """Return a `Picture` of the answer at work. Raises `CourseError` for an answer of another form."""
        return self.task.show(answer)

    def check(self, answer: Any) -> Reply:
        """Return a `Reply`: right, or wrong with the simplest schedule against it; and note it in the progress."""
        return self.noted(self.judged(answer))

    def judged(self, answer: Any) -> Reply:
        """Return the `Reply` to an answer, which is noted nowhere."""
        try:
            return self.task.check(answer)
        except CourseError as why:
            said, lines = message_of(why)
            return wrong(_sentence(said), traceback=lines)
        except Exception as why:  # noqa: BLE001 - an object that cannot even be looked at is an answer, too
            return wrong(f"The check cannot read this answer ({type(why).__name__}: {why}). Give it in another form.")

    def noted(self, reply: Reply) -> Reply:
        """Note a reply in the progress, and return it, after two wrong ones with the offer of a hint."""
        if reply.state == "unsolved":
            return reply
        my_work.note(self.name, reply.right)
        if folder := os.environ.get("EXACTLY_ONCE_CLASS"):
            share(folder)
        tries, hint = _tries.get(self.name, (0, 0))
        _tries[self.name] = (0 if reply.right else tries + 1, hint)
        if not self.offered:
            return reply
        return replace(reply, offer=f"Hint {self.offered} of {len(self.hints)} may help: hint({self.offered}).")

    def hint(self, number: Any = 1) -> Any:
        """Return hint `number`, from 1, a nudge, to the last, the decisive idea. Raises `BadInput` for another."""
        whole("the number of a hint", number, 1, len(self.hints))
        _tries[self.name] = (0, max(number, _tries.get(self.name, (0, 0))[1]))
        return Hint(self._hint(number))

    def given(self) -> tuple[Any, ...]:
        """Return the texts of the hints that were given."""
        return tuple(map(self._hint, range(1, _tries.get(self.name, (0, 0))[1] + 1)))

    @property
    def standing(self) -> str:
        """ "solved", "tried" or "new"."""
        return my_work.standing(self.name)

    def _hint(self, number: Any) -> Any:
        return f"Hint {number} of {len(self.hints)}: {self.hints[number - 1]}"

    @property
    def open(self) -> bool:
        """True when the solution may be seen: the exercise is solved, or was tried twice."""
        return self.standing == "solved" or my_work.tries(self.name) >= TRIES

    def solution(self) -> Any:
        """Return one way to solve it and why, as Markdown; before two tries, a sentence that says when."""
        if not self.open:
            return Hint(f"Check two answers of your own first. Then solution() shows one way to solve {self.name}.")
        return Solution(solution_of(self.name))

    def reset(self) -> Any:
        """Bring this exercise back to how it came, in the notebook on disk, and return a sentence."""
        return Hint(reset_exercise(self.name))


def _sentence(text: str) -> str:
    """Return an error's text as a sentence that can be read, even where it quotes a very long value."""
    text = text if len(text) <= LONG else f"{text[: LONG // 2]} … {text[-LONG // 2 :]}"
    return text[:1].upper() + text[1:]


class Hint(str):
    """Words for the learner, displayed without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Solution(Hint):
    """A solution as Markdown, which a notebook draws."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return str(self)


def open(name: str) -> Exercise:
    """Return the `Exercise` of a name such as "04d". Raises `BadInput` for an unknown name."""
    one_sentence_errors()
    wanted = str(name).strip().lower()
    if wanted not in exercise_names():
        raise BadInput(f"There is no exercise {name!r}; there are {', '.join(exercise_names())}. {OLDER}")
    return Exercise(wanted, item(wanted))


def solutions(chapter: Any) -> Any:
    """Hand out the solutions of a chapter such as "04" as a notebook, and return a sentence that says where it is.

    Raises `BadInput` for a chapter that is not there.
    """
    name = chapter_named(chapter)
    path = copies.hand_out_solutions(name)
    return Hint(f"The solutions of chapter {name[:2]} are in {path}.")


def progress() -> Any:
    """Return tables of the exercises that were tried, and of the predictions and gaps of each chapter."""
    found, count = my_work.progress(), len(exercise_names())
    tried = [name for name in exercise_names() if name in found]
    done = [name for name in tried if found[name]["solved"]]
    said = f"Exercises: {count}; {len(done)} solved, {len(tried) - len(done)} tried, {count - len(tried)} not yet."
    rows = [
        (name, item(name).tier, words(name).title, SIGNS[my_work.standing(name)], found[name]["solved"] or "",
         found[name]["tries"])
        for name in tried
    ]  # fmt: skip
    gaps, below = predictions.asked("gap"), []
    for chapter, (asked, predicted, came_out) in predictions.counts().items():
        written = len({*gaps[chapter]} & {*my_work.solved_names()})
        if asked or gaps[chapter]:
            below.append((chapter, f"{predicted} of {asked}", came_out, f"{written} of {len(gaps[chapter])}"))
    tables = [
        pd.DataFrame(part, columns=columns)
        for part, columns in (
            (rows, ["exercise", "tier", "task", "state", "since", "checks until then"]),
            (below, ["chapter", "predicted", "came out as predicted", "gaps written"]),
        )
        if part
    ]
    html = "".join(f'<div class="eo-progress">{show.table_html(each)}</div>' for each in tables)
    return show.Picture(
        f'<div class="eo-progress"><p>{said}</p></div>{html}',
        text="\n\n".join([said, *(each.to_string(index=False) for each in tables)]),
    )
