# Plausible: right when nothing goes wrong.
"""The decision is in another cell than the withdrawal: a twin may withdraw before it is written down."""

REASON = "Two movers with the same orders, while somebody else moves money back"


def answer(here, there, order):
    intent = f"intent.{order.name}"
    version, decided = here.read(intent)
    while not version:
        at, held = here.read(order.source)
        done = order.name in held.get("out", [])
        fine = done or held["balance"] >= order.amount
        if fine and not done:
            after = {"balance": held["balance"] - order.amount, "out": [*held.get("out", []), order.name]}
            after["in"] = held.get("in", [])
            fine = here.cas(order.source, at, after)
            if not fine:
                version, decided = here.read(intent)
                continue
        if not fine:
            here.cas(intent, 0, "refused" if not refused_too_late(here, order) else "sent")
        else:
            here.cas(intent, 0, "sent")
        version, decided = here.read(intent)
    if decided == "refused":
        return False
    while True:
        at, held = there.read(order.target)
        if order.name in held.get("in", []):
            return True
        after = {"balance": held["balance"] + order.amount, "in": [*held.get("in", []), order.name]}
        there.cas(order.target, at, {**after, "out": held.get("out", [])})


def refused_too_late(here, order):
    return order.name in here.read(order.source)[1].get("out", [])
