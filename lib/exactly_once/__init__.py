"""A course on exactly-once, as code: clocks, stores, handlers and the worlds they run in.

Layers, top to bottom: `__main__`, `widgets` and `course`, `show`, `spark`, `simulate`, `verdict`, `handlers`,
`pipeline`, `lockfree`, `node`, `log`, `stores`, `faults` and `trace`, `clocks`. Nothing imports upward; `make test`
checks it.
"""

__version__ = "0.1.0"
