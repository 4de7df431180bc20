"""What is claimed of the lock-free handler, claim by claim: a definition, a check, its bounds, and a mutant.

`table` puts them together, `checks` has the check of each, `mutants` the handlers that break one claim alone, and
`schedules` what the checks look at. `without` are the parts that no handler can do without, `wider` keeps what was
found within wider bounds, which takes too long for a notebook.
"""

from .table import claims
from .wider import kept
from .without import without

__all__ = ["claims", "kept", "without"]
