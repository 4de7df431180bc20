REASON = "and it grows with each of them"


def distinct(state, inputs):
    seen, [order] = state or [], inputs
    return (seen, []) if order in seen else ([*seen, order], [order])


def top(state, inputs):
    best = sorted((state or []) + inputs)[-2:][::-1]
    return best, [None if best == state else best]


def join(state, inputs):
    paid, sent, done = state or ({}, {}, [])
    for side, one in zip((paid, sent), inputs, strict=False):
        if one is not None:
            side[one[0]] = one[1]
    both = [order for order in sorted(paid.keys() & sent.keys()) if order not in done]
    return (paid, sent, [*done, *both]), [[[order, paid[order], sent[order]] for order in both] or None]


answer = {"distinct": distinct, "top": top, "join": join}
