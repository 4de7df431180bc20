"""Clocks on the cluster: processes that exchange messages, and Lamport stamps for logs of any size.

`conversation` lets four `peer` processes talk; `message_log` makes large logs, `stamping` stamps them as Spark jobs
over `blocks`, `stamp_locally` in one process; `check_order` looks for effects before their causes.
"""
