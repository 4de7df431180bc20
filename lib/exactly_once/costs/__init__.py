"""What a guarantee costs: its operations counted, and its time measured.

`measured` times a handler on real stores; `spread` compares cases, and says how sure the comparison is.
"""

from .measured import Measured, measured
from .spread import Comparison, compared

__all__ = ["Comparison", "Measured", "compared", "measured"]
