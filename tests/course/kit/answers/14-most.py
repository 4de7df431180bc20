"""Answers to the gap 14-most."""

from tests.course.answers import Answers

answers = Answers("14-most")

answers.right("with Counter").code("""
    from collections import Counter


    def answer(shares, partition_of, rate):
        loads = Counter()
        for key in shares:
            loads[partition_of[key]] += shares[key]
        return rate / loads.most_common(1)[0][1]
""")
answers.wrong("as if all were equal", reason="gets 50% of the input").code("""
    def answer(shares, partition_of, rate):
        return rate * len(set(partition_of.values()))
""")
answers.wrong("by the number of keys", reason="of the input").code("""
    def answer(shares, partition_of, rate):
        return rate * len(shares)
""")
answers.wrong("by the largest key", reason="partition 0 gets 100%").code("""
    def answer(shares, partition_of, rate):
        return rate / max(shares.values())
""")
answers.wrong("one machine", ("rate / max(loads.values())", "rate"), reason="right is 200")
answers.wrong("the wrong way round", ("rate / max", "rate * max"), reason="right is 200")
