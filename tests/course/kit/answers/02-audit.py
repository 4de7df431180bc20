"""Answers to the gap 02-audit."""

from tests.course.answers import Answers

given = """
    from collections import Counter
"""
answers = Answers("02-audit", given)

answers.right("by a counter").code("""
    def answer(acknowledged, readable):
        times = Counter(readable)
        return {n for n in acknowledged if not times[n]}, [n for n, count in times.items() if count > 1]
""")

answers.wrong("by numbers alone", reason="are not the same").code("""
    def answer(acknowledged, readable):
        lost = acknowledged[len(readable) :] if len(readable) != len(acknowledged) else []
        lost = [n for n in acknowledged if n not in readable] if len(readable) < len(acknowledged) else lost
        return lost, sorted({n for n in readable if readable.count(n) > 1})
""")

answers.wrong("how many", reason="return two lists").code("""
    def answer(acknowledged, readable):
        return len(set(acknowledged) - set(readable)), len(readable) - len(set(readable))
""")

answers.wrong("lost alone", reason="return two lists").code("""
    def answer(acknowledged, readable):
        return [n for n in acknowledged if n not in readable]
""")

answers.wrong("lost is what nobody promised", reason="never promised").code("""
    def answer(acknowledged, readable):
        return set(acknowledged) ^ set(readable), {n for n in readable if readable.count(n) > 1}
""")

answers.wrong("names each copy", reason="name each record once").code("""
    def answer(acknowledged, readable):
        lost = [number for number in acknowledged if number not in readable]
        return lost, [number for number in readable if readable.count(number) > 1]
""")

answers.wrong("the other way round", reason="It says that").code("""
    def answer(acknowledged, readable):
        return {n for n in readable if readable.count(n) > 1}, set(acknowledged) - set(readable)
""")

answers.wrong("unanswered is double", reason="is no double").code("""
    def answer(acknowledged, readable):
        left = list(readable)
        for number in acknowledged:
            if number in left:
                left.remove(number)
        return [n for n in acknowledged if n not in readable], left
""")

answers.wrong("unanswered is no double", reason="[2] are").code("""
    def answer(acknowledged, readable):
        return set(acknowledged) - set(readable), {number for number in acknowledged if readable.count(number) > 1}
""")

answers.wrong("with counts", reason="return two lists").code("""
    def answer(acknowledged, readable):
        lost = [number for number in acknowledged if number not in readable]
        return lost, {number: count for number, count in Counter(readable).items() if count > 1}
""")
