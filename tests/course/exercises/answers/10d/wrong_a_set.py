REASON = "which no store keeps"


def distinct(state, inputs):
    seen, [order] = state or set(), inputs
    return seen | {order}, [None if order in seen else order]


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
