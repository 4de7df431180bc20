# Plausible: two equal orders in a row are told.
REASON = "distinct: for tea after tea, milk it sends tea; right is nothing"


def distinct(state, inputs):
    return inputs[0], [None if inputs[0] == state else inputs[0]]


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
