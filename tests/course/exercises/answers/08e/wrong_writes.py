# Plausible: right when nothing goes wrong.
"""Reads and writes, whoever comes in between."""

REASON = "When somebody else moves money back meanwhile"


def answer(here, there, order):
    _, mine = here.read(order.source)
    if mine["balance"] < order.amount:
        return False
    here.write(order.source, {"balance": mine["balance"] - order.amount})
    _, theirs = there.read(order.target)
    there.write(order.target, {"balance": theirs["balance"] + order.amount})
    return True
