# Plausible: right when nothing goes wrong.
"""Takes the note of the first half for the whole."""

REASON = "are lost"


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
    if order.name in held:
        return held[order.name]
    return half(here, order.source, order.name, -order.amount) and half(there, order.target, order.name, order.amount)
