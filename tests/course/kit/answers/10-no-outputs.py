"""Answers to the gap 10-no-outputs."""

from tests.course.answers import Answers

answers = Answers("10-no-outputs")

answers.right("a list of places").code("""
    def answer(state, positions, outputs, k):
        left = [place for place, value in enumerate(outputs) if value is not None and place >= k]
        return ["PREPARING", state, positions, outputs, left[0]] if left else ["HANDLING", state, positions]
""")

answers.right("again").code("""
    def answer(state, positions, outputs, k):
        if k >= len(outputs):
            return ["HANDLING", state, positions]
        if outputs[k] is None:
            return answer(state, positions, outputs, k + 1)
        return ["PREPARING", state, positions, outputs, k]
""")

answers.wrong("ends at the first none", reason="the queue 'second' holds nothing; right is c").code("""
    def answer(state, positions, outputs, k):
        if k == len(outputs) or outputs[k] is None:
            return ["HANDLING", state, positions]
        return ["PREPARING", state, positions, outputs, k]
""")

answers.wrong("leaves them out", reason="the queue 'first' holds a, c").code("""
    def answer(state, positions, outputs, k):
        outputs = [value for value in outputs if value is not None]
        return ["PREPARING", state, positions, outputs, k] if k < len(outputs) else ["HANDLING", state, positions]
""")

answers.wrong("none is pushed", reason="the queue 'first' holds a, ").code("""
    def answer(state, positions, outputs, k):
        if k < len(outputs):
            return ["PREPARING", state, positions, outputs, k]
        return ["HANDLING", state, positions]
""")

answers.wrong("the articles", reason="IndexError: list index out of range").code("""
    def answer(state, positions, outputs, k):
        return ["PREPARING", state, positions, outputs, k]
""")

answers.wrong("zero is nothing", reason="With the outputs [0, 'b'] and k = 0").code("""
    def answer(state, positions, outputs, k):
        while k < len(outputs) and not outputs[k]:
            k += 1
        return ["PREPARING", state, positions, outputs, k] if k < len(outputs) else ["HANDLING", state, positions]
""")
