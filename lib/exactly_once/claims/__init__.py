"""What the articles promise, and what they say that is not so: statements, each with the handler that breaks it.

`table` has the claims about the lock-free handler: `properties` has the check of each, asked of all `schedules`, and
`mutants` the handlers that break one claim alone. `sentences` are those of the articles that fail or need a
condition, each with its question for `prove` and its repair; `broken` are handlers that take them at their word.
"""

from ..doors import open_door
from .sentences import flaws
from .table import claims

open_door(__name__)
