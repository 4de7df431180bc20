"""Transactions: what their coordinator decides (`rules`), keeps (`coordinator`), and does in a log (`service`)."""
