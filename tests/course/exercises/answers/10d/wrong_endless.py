REASON = "The code was stopped after 5 seconds"


def distinct(state, inputs):
    seen, [order] = state or [], inputs
    return (seen, []) if order in seen else ([*seen, order], [order])


def top(state, inputs):
    while True:
        pass


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
