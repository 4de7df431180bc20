"""Trials on a real Kafka: what a program's operator meets at night, brought about.

`trial` has what a trial returns, `proxy` the wire that loses and holds messages; `transactions` and `rebalance` are
the trials, and `diagnosis` is what an operator asks.
"""
