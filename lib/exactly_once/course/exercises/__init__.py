"""The exercises, as a notebook uses them: `exercises.open("04d")`, then `show`, `check`, `hint`.

`exercise` defines the object in a notebook, and the table of the progress. `python -m exactly_once.course.exercises`,
`__main__`, makes `exercises/` from `solutions/`, and with `hand-out` gives the learner the copies.
"""

from ...errors import CourseError
from ..classroom.hand_in import hand_in
from .exercise import Exercise, Hint, open, progress, solutions


def __getattr__(name: str) -> object:
    """Say what takes the place of two functions that older copies of the exercises name."""
    if name in ("export_progress", "import_progress"):
        raise CourseError(
            f"{name} has left the course. save_my_work() and bring_back(file), from exactly_once.course, carry all "
            "of your work to another computer."
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
