import itertools

REASON = "your function gives [[1, 'tea']], and then [[2, 'tea']]"
numbers = itertools.count(1)


def answer(state, inputs):
    return state, [[next(numbers), inputs[0]]]
