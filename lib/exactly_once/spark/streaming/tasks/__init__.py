"""Killing the tasks of a query in its sink's write: `in_the_sink` does it.

`written` has sinks as Python data sources, and `calls` records what Spark called there.
"""
