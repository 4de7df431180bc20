"""Answers to the exercise 14a."""

from tests.course.answers import Answers

answers = Answers("14a", "import math")

answers.right("in loops").code("""
    def answer(nodes, latency, rate):
        slowest = 0
        for node in nodes:
            took = 0
            for store in node:
                took += node[store] * latency[store]
            slowest = max(slowest, took)
        count = 1
        while count * 1000 < rate * slowest:
            count += 1
        return count
""")

answers.right("as a float").code("""
    def answer(nodes, latency, rate):
        return float(math.ceil(rate * max(sum(n * latency[s] for s, n in node.items()) for node in nodes) / 1000))
""")

# The handler's own operations, without its sink's.
answers.plausible("the first node alone", ("for node in nodes", "for node in nodes[:1]"), reason="node 2: 15 ms")

# All operations, as if the nodes worked one after the other.
answers.plausible("the sum of all nodes", ("max(", "sum("), reason="8 are right")

answers.plausible(
    "rounds down", ("math.ceil(", "math.floor("), reason="with 41 records a second it returns 1; 2 are right"
)
answers.wrong("one too many", ("math.ceil(", "1 + math.floor("), reason="returns 2; 1 are right")
answers.wrong("in seconds", ("/ 1000", ""), reason="returns 1000; 1 are right")
answers.wrong("forgets the rate", ("rate * slowest", "slowest"), reason="with 41 records a second it returns 1")
answers.wrong("counts and does not weigh", ("number * latency[store]", "number"), reason="it returns 1; 2 are right")
