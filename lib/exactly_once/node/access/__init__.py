"""A handler's handles of the stores: registers, locks, logs, transactions, sessions of a database of rows.

`handles` has registers, stores by name and the log; `transactions` writes in transactions of the log or the engine.
"""
