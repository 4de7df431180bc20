"""Trials on a real Kafka: what a program's operator meets at night, brought about.

`steps` has what a trial returns, `proxy` the wire that loses and holds messages; each other module is one trial.
"""
