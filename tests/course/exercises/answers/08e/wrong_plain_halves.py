# Plausible: right when nothing goes wrong.
"""Two CAS loops without a note: the chapter's last stage."""

REASON = "One crash"


def change(store, account, by):
    while True:
        version, held = store.read(account)
        if held["balance"] + by < 0:
            return False
        if store.cas(account, version, {"balance": held["balance"] + by}):
            return True


def answer(here, there, order):
    return change(here, order.source, -order.amount) and change(there, order.target, order.amount)
