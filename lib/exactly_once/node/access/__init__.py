"""A handler's handles of the stores: registers, locks, logs, transactions, sessions of a database of rows.

`handles` has registers, stores by name and the log; `engine`, `transactions` and `abstract` write in transactions.
"""
