# Plausible: what comes together is joined.
REASON = "join: for nothing and [a, shipment] after [a, 5] and nothing"


def distinct(state, inputs):
    seen, [order] = state or [], inputs
    return (seen, []) if order in seen else ([*seen, order], [order])


def top(state, inputs):
    best = sorted((state or []) + inputs)[-2:][::-1]
    return best, [None if best == state else best]


def join(state, inputs):
    paid, sent = state or ({}, {})
    payment, shipment = inputs
    if payment is not None:
        paid[payment[0]] = payment[1]
    if shipment is not None:
        sent[shipment[0]] = shipment[1]
    if payment is not None and shipment is not None and payment[0] in sent:
        return (paid, sent), [[[payment[0], paid.pop(payment[0]), sent.pop(payment[0])]]]
    return (paid, sent), [None]


answer = {"distinct": distinct, "top": top, "join": join}
