"""Structured Streaming for real: queries that are killed at exact places, and what is left of them.

`query` runs a query in a driver of its own, `life`, and kills that process; `in_the_sink` kills a
task of a query within its sink's write, of which `written` has the sinks; `conditions` breaks each condition of
exactly-once. `hours_source` is the Python data source of the stream, `averages` the query over it, `sinks` has the
functions for foreachBatch. `checkpoint` reads the engine's files, and `finish_query` runs a query to its end.
"""
