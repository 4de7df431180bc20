import bisect


def distinct(state, inputs):
    seen = dict.fromkeys(state or [])
    new = [order for order in inputs if order not in seen]
    return sorted({**seen, **dict.fromkeys(inputs)}), new or [None]


def top(state, inputs):
    best = [-number for number in state or []]
    bisect.insort(best, -inputs[0])
    best = [-number for number in best[:2]]
    return best, [best] if best != state else []


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
