"""What the three articles say and is not so: each with the simplest schedule that shows it, and the repair, explored.

`cases` are the sentences with what explores them, `broken` are handlers that take a sentence at its word where no
earlier chapter has one, and `flaws` carries all out.
"""

from .cases import CASES, Case
from .flaws import Flaw, Flaws, flaws

__all__ = ["CASES", "Case", "Flaw", "Flaws", "flaws"]
