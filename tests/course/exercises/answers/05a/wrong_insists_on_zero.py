# Plausible: the rule before 2.5.
"""Asks for number 0 of a producer that it does not know, as Kafka did until 2.4."""

REASON = "takes any first number"


def answer(last, first, count):
    if last is None:
        return "accept" if first == 0 else "refuse"
    if (first, count) == tuple(last):
        return "duplicate"
    return "accept" if first == sum(last) % 2**31 else "refuse"
