"""Answers to the gap 12-copies."""

from tests.course.answers import Answers

answers = Answers("12-copies")

answers.right("counts by a loop").code("""
    def answer(kills, hours):
        found = dict.fromkeys(range(1, hours + 1), 1)
        for letter, batch in kills:
            if letter == "D":
                found[batch + 1] += 1
        return found
""")

answers.wrong("each kill", reason="With the kills [('C', 1)]").code("""
    def answer(kills, hours):
        batches = [batch for _, batch in kills]
        return {hour: 1 + batches.count(hour - 1) for hour in range(1, hours + 1)}
""")

answers.wrong("C as well", reason="With the kills [('C', 1)]").code("""
    def answer(kills, hours):
        batches = [batch for letter, batch in kills if letter in "CD"]
        return {hour: 1 + batches.count(hour - 1) for hour in range(1, hours + 1)}
""")

answers.wrong("E as well", reason="With the kills [('E', 0), ('A', 1), ('B', 2)]").code("""
    def answer(kills, hours):
        batches = [batch for letter, batch in kills if letter in "DE"]
        return {hour: 1 + batches.count(hour - 1) for hour in range(1, hours + 1)}
""")

answers.wrong("twice at the most", reason="right is {1: 1, 2: 1, 3: 3").code("""
    def answer(kills, hours):
        return {hour: 1 + (("D", hour - 1) in kills) for hour in range(1, hours + 1)}
""")

answers.wrong(
    "the batch is the hour",
    ('("D", hour - 1)', '("D", hour)'),
    reason="returns {1: 2, 2: 1, 3: 1}; right is {1: 1, 2: 2",
)

answers.wrong("counts from 0", ("range(1, hours + 1)", "range(hours)"), reason="right is {1: 1, 2: 1}")
