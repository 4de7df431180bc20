"""The exercises, as a notebook uses them: `exercises.open("04b")`, then `show`, `check`, `hint`.

`exercise` is what a notebook holds, `markers` makes `exercises/` from `solutions/`, `handout` brings one
back as it came, `run_answer` runs an answer in the sandbox, `reply` and `solved` say and keep what a check found.
"""

from .exercise import Exercise, Hint, export_progress, import_progress, open, progress

__all__ = ["Exercise", "Hint", "export_progress", "import_progress", "open", "progress"]
