"""Sentences of the three articles that fail or need a condition, each with the simplest schedule, and its repair.

`cases` are the sentences with their questions for `prove`, `broken` are handlers that take a sentence at its word
where no earlier chapter has one, and `flaws` explores them all.
"""

from .cases import CASES
from .flaws import Flaw, Flaws, flaws
