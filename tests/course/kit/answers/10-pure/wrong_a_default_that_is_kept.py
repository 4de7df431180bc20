REASON = "and then [[2, 'tea']]"


def answer(state, inputs, given=[]):  # noqa: B006
    given.append(inputs[0])
    return state, [[len(given), inputs[0]]]
