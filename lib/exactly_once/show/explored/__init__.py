"""Drawings of explorations: a proof (`proof_picture`), and the tables of several proofs.

`claims` are those of the lock-free handler and the sentences of the articles, `isolation_picture` a schedule
of transactions side by side; `two_levels` draws one of Kafka's transactions.
"""
