REASON = "join: it fails with TypeError"


def distinct(state, inputs):
    seen, [order] = state or [], inputs
    return (seen, []) if order in seen else ([*seen, order], [order])


def top(state, inputs):
    best = sorted((state or []) + inputs)[-2:][::-1]
    return best, [None if best == state else best]


def join(state, inputs):
    paid, sent = state or ({}, {})
    (order, price), (shipment, what) = inputs
    paid[order], sent[shipment] = price, what
    both = sorted(paid.keys() & sent.keys())
    return (paid, sent), [[[one, paid.pop(one), sent.pop(one)] for one in both] or None]


answer = {"distinct": distinct, "top": top, "join": join}
