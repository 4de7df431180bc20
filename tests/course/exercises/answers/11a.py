"""Answers to the exercise 11a."""

from tests.course.answers import Answers

answers = Answers("11a")

answers.right("by search").code("""
    def answer(rate, latency, outputs):
        if rate * latency >= 1000:
            return None
        size = 1
        while size * 1000 < rate * latency * (2 + size + 7 * outputs):
            size += 1
        return size
""")

answers.right(
    "with ceil", ("return max(1, -(-fixed // left))", "import math\n\n    return max(1, math.ceil(fixed / left))")
)

# Plausible: the remainder is cut off, so the machine falls behind slowly.
answers.plausible("rounds down", ("-(-fixed // left)", "fixed // left"), reason="inputs are handled in a second")

# Plausible: the read of each input is taken to be shared, too.
answers.plausible("reads cost nothing", reason="With 100 inputs a second, 2 ms").code("""
    def answer(rate, latency, outputs):
        return max(1, -(-rate * latency * (2 + 7 * outputs) // 1000))
""")

answers.plausible("always a batch", ("return None", "return 1000"), reason="no batch is enough")

answers.wrong("one too many", ("-(-fixed // left))", "fixed // left + 1)"), reason="are enough")

answers.wrong("a fraction", ("-(-fixed // left)", "fixed / left"), reason="give a whole number, here 3")

answers.wrong("outputs forgotten", ("(2 + 7 * outputs)", "2"), reason="inputs are handled in a second")

answers.wrong("outputs of each input", reason="With 100 inputs a second, 2 ms").code("""
    def answer(rate, latency, outputs):
        left = 1000 - rate * latency * (1 + 7 * outputs)
        return None if left <= 0 else max(1, -(-rate * latency * 2 // left))
""")

answers.wrong("a step of one input", reason="With 100 inputs a second, 2 ms").code("""
    def answer(rate, latency, outputs):
        return 1 if rate * latency < 1000 else None
""")
