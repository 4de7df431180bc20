REASON = "join: for nothing and [a, shipment] after [a, 0] and nothing it sends nothing"


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
    both = [order for order in sorted(sent) if paid.get(order)]
    return (paid, sent), [[[order, paid.pop(order), sent.pop(order)] for order in both] or None]


answer = {"distinct": distinct, "top": top, "join": join}
