"""Transactions: the coordinator's decisions (`rules`), state (`coordinator`) and work in a log (`service`)."""
