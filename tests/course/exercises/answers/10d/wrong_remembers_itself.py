REASON = "distinct: called twice with the same"


seen = []


def distinct(state, inputs):
    [order] = inputs
    if order in seen:
        return state, [None]
    seen.append(order)
    return state, [order]


def top(state, inputs):
    best = sorted((state or []) + inputs)[-2:][::-1]
    return best, [None if best == state else best]


def join(state, inputs):
    state, complete = state or {}, []
    for side, one in enumerate(inputs):
        if one is None:
            continue
        order, what = one
        if order in state:
            half = [state.pop(order)[1], what]
            complete.append([order, *(half if side else half[::-1])])
        else:
            state[order] = [side, what]
    return state, [sorted(complete) or None]


answer = {"distinct": distinct, "top": top, "join": join}
