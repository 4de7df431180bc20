"""The claims about the lock-free handler, each with a definition, a check, its bounds, and a mutant.

`table` puts them together, `checks` has the check of each, `mutants` the handlers that break one claim alone, and
`schedules` the schedules that the checks look at. `without` are the parts that no handler can do without.
"""

from ..doors import open_door
from .table import claims
from .without import without

open_door(__name__)
