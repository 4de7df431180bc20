"""Handlers on the two sides of a log: producers and consumers.

`replicated_log` is the log between them; `database_consumer` applies its messages to a database of rows.
"""
