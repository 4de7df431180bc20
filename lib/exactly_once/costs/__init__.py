"""What a guarantee costs: its operations counted, and its time measured.

`measured` times a handler on real stores, `batched` a pipeline that commits every so many milliseconds; `spread`
compares cases, and says how sure the comparison is.
"""

from .batched import Batched, batched
from .measured import Measured, measured
from .spread import Comparison, compared

__all__ = ["Batched", "Comparison", "Measured", "batched", "compared", "measured"]
