"""The exercises, as a notebook uses them: `exercises.open("04d")`, then `show`, `check`, `hint`.

`exercise` defines the object in a notebook, `markers` makes `exercises/` from `solutions/`, `handout` restores an
exercise to its first version, and `solved` keeps the solved exercises.
"""

from .exercise import Exercise, Hint, export_progress, hand_in, import_progress, open, progress, solutions
