# Plausible: right when nothing goes wrong and there is enough.
"""Deposits first: for a moment there is money that nobody has paid in."""

REASON = "were made out of nothing"


def half(store, account, name, change):
    while True:
        version, held = store.read(account)
        if name in held:
            return held[name]
        fine = held["balance"] + change >= 0
        after = held | {name: fine, "balance": held["balance"] + (change if fine else 0)}
        if store.cas(account, version, after):
            return fine


def answer(here, there, order):
    _, held = here.read(order.source)
    if not held.get(order.name, held["balance"] >= order.amount):
        return False
    half(there, order.target, order.name, order.amount)
    return half(here, order.source, order.name, -order.amount)
