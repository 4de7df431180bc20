"""The exercises, as a notebook uses them: `exercises.open("04d")`, then `show`, `check`, `hint`.

`exercise` defines the object in a notebook, and the table of the progress. `generate` makes `exercises/` from
`solutions/`: `python -m exactly_once.course.exercises.generate`, which with `hand-out` gives the learner the copies.
"""

from ..classroom.hand_in import hand_in
from .exercise import Exercise, Hint, open, progress, solutions
