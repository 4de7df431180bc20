"""Handlers on the two sides of a log: producers, consumers, and what transforms from one topic to another.

`replicated_log` is the log between them; `database_consumer` applies what it reads to a database of rows.
"""
