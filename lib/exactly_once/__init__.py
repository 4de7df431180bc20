"""A course on exactly-once, as code: clocks, stores, handlers and the worlds they run in.

Layers, top to bottom: `__main__`, `course`, `widgets`, `show`, `spark`, `delivery`, `sandbox`, `explore`, `simulate`,
`verdict`, `handlers`, `pipeline`, `lockfree`, `node`, `log`, `stores`, `faults` and `trace`, `clocks`, `owned`,
`paths` and `sealed`, `errors`. Nothing imports upward; `make test` checks it.
"""

__version__ = "0.1.0"
