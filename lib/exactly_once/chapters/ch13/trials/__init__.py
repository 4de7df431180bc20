"""Trials on a real Kafka: what a program's operator meets at night, brought about.

`trial` has what a trial is, `proxy` the wire that loses and holds messages; `transactions` and `rebalance` are the
trials, with what an operator asks.
"""
