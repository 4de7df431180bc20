"""The note is a cell of its own, written in one transaction of the one system with the balance."""


def answer(here, there, order):
    fine = half(here, order.source, order.name, -order.amount)
    return fine and half(there, order.target, order.name, order.amount)


def half(store, account, name, by):
    (_, noted), (version, held) = store.transact(("read", name), ("read", account))
    if noted is not None:
        return noted
    fine = held["balance"] + by >= 0
    changed = ("cas", account, version, {"balance": held["balance"] + (by if fine else 0)})
    store.transact(("cas", name, 0, fine), changed)
    return half(store, account, name, by)
