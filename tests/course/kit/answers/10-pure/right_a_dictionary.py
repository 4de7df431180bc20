def answer(state, inputs):
    state = state or {"given": []}
    state["given"].append(inputs[0])
    return state, [[len(state["given"]), inputs[0]]]
