REASON = "top: for 5 it sends [5, 0]; right is [5]"


def distinct(state, inputs):
    seen, [order] = state or [], inputs
    return (seen, []) if order in seen else ([*seen, order], [order])


def top(state, inputs):
    best = sorted([*(state or [0, 0]), *inputs], reverse=True)[:2]
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
