"""Answers to the gap 10-pure."""

from tests.course.answers import Answers

answers = Answers("10-pure")

answers.right("a dictionary").code("""
    def answer(state, inputs):
        state = state or {"given": []}
        state["given"].append(inputs[0])
        return state, [[len(state["given"]), inputs[0]]]
""")

answers.wrong("a default that is kept", reason="and then [[2, 'tea']]").code("""
    def answer(state, inputs, given=[]):
        given.append(inputs[0])
        return state, [[len(given), inputs[0]]]
""")

answers.wrong("begins at zero", reason="One node, which dies: ").code("""
    def answer(state, inputs):
        number = state or 0
        return number + 1, [[number, inputs[0]]]
""")

answers.wrong("counts itself", reason="your function gives [[1, 'tea']], and then [[2, 'tea']]").code("""
    import itertools

    numbers = itertools.count(1)


    def answer(state, inputs):
        return state, [[next(numbers), inputs[0]]]
""")

answers.wrong("returns the invoice", reason="return (state, outputs)").code("""
    def answer(state, inputs):
        return [(state or 0) + 1, inputs[0]]
""")

answers.wrong("state stands still", reason="the queue 'output' holds [1, tea], [1, milk]").code("""
    def answer(state, inputs):
        return state, [[(state or 0) + 1, inputs[0]]]
""")

answers.wrong("the place of the order", reason="right is [1, tea], [2, milk], [3, tea]").code("""
    def answer(state, inputs):
        seen = [*(state or []), *inputs]
        return seen, [[seen.index(inputs[0]) + 1, inputs[0]]]
""")
