"""The exercises, as a notebook uses them: open one, show an answer, check it, ask for a hint.

from exactly_once.course import exercises
exercise = exercises.open("04b")

`python -m exactly_once.course.exercises` writes `exercises/` from `solutions/`; with `hand-out` it gives the learner
working copies, with `reset 04b` it brings one exercise back.
"""

from ...errors import BadInput, CourseError, message_of, whole
from ..chapter import one_sentence_errors
from ..tasks import TASKS
from ..tasks.reply import wrong
from . import handout
from . import solved as kept
from .in_chapters import with_chapters

LONG = 400  # characters of an error that anybody reads


class Exercise:
    """One exercise: `show(answer)` draws what an answer does, `check(answer)` judges it, `hint(n)` helps."""

    def __init__(self, name, task):
        self.name, self.task = name, task

    def __repr__(self):
        return f"Exercise {self.name}: {self.task.title}. Hints: hint(1) to hint({len(self.task.hints)})."

    def show(self, answer):
        """Return a `Picture` of what the answer does. Raises `CourseError` for an answer of another form."""
        return self.task.show(answer)

    def check(self, answer):
        """Return a `Reply`: right, or wrong with the simplest schedule against it; and note it in the progress."""
        try:
            reply = self.task.check(answer)
        except CourseError as why:
            said, lines = message_of(why)
            reply = wrong(_sentence(said), traceback=lines)
        except Exception as why:  # noqa: BLE001 - an object that cannot even be looked at is an answer, too
            reply = wrong(
                f"The check cannot read this answer ({type(why).__name__}: {why}). Give it in another form."
            )
        if reply.state != "unsolved":
            kept.note(self.name, reply.right)
        return reply

    def hint(self, number=1):
        """Return hint `number`, from 1, a nudge, to the last, nearly the solution. Raises `BadInput` for another."""
        hints = self.task.hints
        return Hint(
            f"Hint {number} of {len(hints)}: {hints[whole('the number of a hint', number, 1, len(hints)) - 1]}"
        )

    def reset(self):
        """Bring this exercise back to how it came, in the notebook on disk, and return a sentence."""
        return Hint(handout.reset(self.name))


def _sentence(text):
    """Return an error's text as a sentence that can be read, even where it quotes a very long value."""
    text = text if len(text) <= LONG else f"{text[: LONG // 2]} … {text[-LONG // 2 :]}"
    return text[:1].upper() + text[1:]


class Hint(str):
    """Words for the learner, displayed without quotes."""

    __slots__ = ()

    def __repr__(self):
        return str(self)


def open(name):
    """Return the `Exercise` of a name such as "04b". Raises `BadInput` for one that is not there."""
    one_sentence_errors()
    wanted = str(name).strip().lower()
    if wanted not in TASKS:
        raise BadInput(f"There is no exercise {name!r}; there are {', '.join(TASKS)}.")
    return Exercise(wanted, TASKS[wanted])


def progress():
    """Return which exercises are solved, and what was predicted and written in the chapters, as tables."""
    return with_chapters(kept.table())


def export_progress():
    """Return the solved exercises as a short text for `import_progress`."""
    return Hint(kept.export())


def import_progress(text):
    """Take in an exported text and return the table. Raises `BadInput` for a text that was changed or cut."""
    return with_chapters(kept.bring(text))
