"""Answers to the gap 09-once."""

from tests.course.answers import Answers

given = """
    from exactly_once.lockfree.pushers import cells_of
"""
answers = Answers("09-once", given)

answers.right("a counter and a text").code("""
    from collections import Counter


    def answer(view):
        found = Counter(value for name, value in view.registers.items() if name.rpartition(".")[2].isdecimal())
        if max(found["a"], found["b"]) > 3:
            return "too many"
        return not view.done or min(found["a"], found["b"]) >= 2
""")

answers.wrong(
    "counts all together",
    ('cells.count("a") <= 3 and cells.count("b") <= 3', "(4 if view.done else 0) <= len(cells) <= 6"),
    of="no least",
    reason="'a' is there 4 times",
)

answers.wrong(
    "each once",
    ('cells.count("a") <= 3 and cells.count("b") <= 3', "len(set(cells)) == len(cells)"),
    of="no least",
    reason="this can occur",
)

answers.wrong(
    "no crash",
    ("2 <= cells.count(value) <= 3", "(2 if view.done else 0) <= cells.count(value) <= 2"),
    of="the least at every moment",
    reason="The cells hold a, a, a, b, and they go on: this can occur",
)

answers.wrong("no least", reason="'a' is there 0 times, although a push of each").code("""
    def answer(view):
        cells = cells_of(view.registers)
        return cells.count("a") <= 3 and cells.count("b") <= 3
""")

answers.wrong("prints", reason="your invariant returns None").code("""
    def answer(view):
        sorted(view.registers)
""")

answers.wrong("the least at every moment", reason="and they go on: this can occur").code("""
    def answer(view):
        cells = cells_of(view.registers)
        return all(2 <= cells.count(value) <= 3 for value in "ab")
""")
