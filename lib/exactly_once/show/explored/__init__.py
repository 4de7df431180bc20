"""What was explored, drawn: a `proof`, and the tables and pages that several of them make.

`claims` are those of the lock-free handler, `flaws` the sentences of the articles, `isolation` levels and forms, and
a schedule of transactions side by side; `two_storeys` draws one of Kafka's transactions, `report` is a page about a
pure function.
"""
