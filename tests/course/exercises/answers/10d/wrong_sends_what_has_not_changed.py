# Plausible: right while numbers grow.
REASON = "top: for 1 after 5, 3 it sends [5, 3]; right is nothing"


def distinct(state, inputs):
    seen, [order] = state or [], inputs
    return (seen, []) if order in seen else ([*seen, order], [order])


def top(state, inputs):
    best = sorted([*(state or []), *inputs], reverse=True)[:2]
    return best, [best]


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
