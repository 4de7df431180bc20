"""A course on exactly-once, as code: clocks, stores, handlers and the worlds they run in.

Layers, top to bottom: `__main__`, `course`, `exercises`, `widgets`, `show`, `spark`, `claims`, `sandbox`,
`explore`, `simulate`, `verdict`, `handlers`, `pipeline`, `lockfree`, `node`, `log`, `servers`, `stores`, `faults` and
`trace`, `clocks`, `solutions`, `owned`, `paths`, `doors`, `errors`.
Nothing imports upward; `make test` checks it.

Notebooks import from this package and from `claims`, `clocks`, `course`, `handlers`, `lockfree`, `log`, `show`,
`spark`, `stores` and `widgets`, and from nowhere else. `help` of each ends with a line for each of its names.
"""

from .doors import open_door

__version__ = "0.1.0"

open_door(__name__)
