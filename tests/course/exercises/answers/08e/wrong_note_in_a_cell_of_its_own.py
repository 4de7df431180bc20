# Plausible: right when nothing goes wrong.
"""Notes each half behind it, in another cell: a crash falls between the two."""

REASON = "One crash"


def once(store, note, account, by):
    if store.read(note)[0]:
        return store.read(note)[1]
    while True:
        version, held = store.read(account)
        fine = held["balance"] + by >= 0
        if not fine or store.cas(account, version, {"balance": held["balance"] + by}):
            store.cas(note, 0, fine)
            return fine


def answer(here, there, order):
    return once(here, order.name, order.source, -order.amount) and once(there, order.name, order.target, order.amount)
