"""The conditions of exactly-once: `broken` breaks each of them by a `trial` within one session.

`state` reads the store of a query's state.
"""
