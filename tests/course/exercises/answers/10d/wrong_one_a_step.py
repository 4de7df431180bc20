# Plausible: one order is complete with each step, most of the time.
REASON = "join: for [c, 5] and [a, shipment]"


def distinct(state, inputs):
    seen, [order] = state or [], inputs
    return (seen, []) if order in seen else ([*seen, order], [order])


def top(state, inputs):
    best = sorted((state or []) + inputs)[-2:][::-1]
    return best, [None if best == state else best]


def join(state, inputs):
    paid, sent = state or ({}, {})
    for side, one in zip((paid, sent), inputs, strict=False):
        if one is not None:
            side[one[0]] = one[1]
    for order in sorted(paid.keys() & sent.keys()):
        return (paid, sent), [[[order, paid.pop(order), sent.pop(order)]]]
    return (paid, sent), [None]


answer = {"distinct": distinct, "top": top, "join": join}
