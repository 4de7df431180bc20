"""Sent, refused and got as lists beside the balance; a life that gets no reply asks again by itself."""

from exactly_once.errors import OutcomeUnknown


def surely(step, *arguments):
    while True:
        try:
            return step(*arguments)
        except OutcomeUnknown:
            continue


def answer(here, there, order):
    while True:
        version, held = surely(here.read, order.source)
        sent, refused, got = (held.get(name, []) for name in ("sent", "refused", "got"))
        if order.name in refused:
            return False
        if order.name in sent:
            break
        left = held["balance"] - order.amount
        noted = {"sent": [*sent, order.name], "balance": left} if left >= 0 else {"refused": [*refused, order.name]}
        surely(here.cas, order.source, version, {**held, "got": got, **noted})
    while True:
        version, held = surely(there.read, order.target)
        got = held.get("got", [])
        if order.name in got:
            return True
        more = {"balance": held["balance"] + order.amount, "got": [*got, order.name]}
        surely(there.cas, order.target, version, {**held, **more})
