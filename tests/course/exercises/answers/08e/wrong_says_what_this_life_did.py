# Plausible: right when nothing goes wrong.
"""Answers False about what an earlier life has carried out."""

REASON = "order t1 was answered"


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
    done = order.name in held
    fine = half(here, order.source, order.name, -order.amount)
    if fine:
        half(there, order.target, order.name, order.amount)
    return fine and not done
