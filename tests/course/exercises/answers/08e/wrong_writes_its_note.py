# Plausible: right when nothing goes wrong.
"""Writes the cell instead of comparing: a late request, or a sleeper, brings an old balance back."""

REASON = "When somebody else moves money back meanwhile"


def once(store, account, name, by):
    _, held = store.read(account)
    if name in held:
        return held[name]
    fine = held["balance"] + by >= 0
    store.write(account, held | {name: fine, "balance": held["balance"] + (by if fine else 0)})
    return fine


def answer(here, there, order):
    return once(here, order.source, order.name, -order.amount) and once(there, order.target, order.name, order.amount)
