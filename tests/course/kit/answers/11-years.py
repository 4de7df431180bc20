"""Answers to the gap 11-years."""

from tests.course.answers import Answers

answers = Answers("11-years")

answers.right("in seconds").code("""
    def answer(mishaps, batch, pairs):
        p = mishaps * batch / 86_400
        return batch / (pairs * p * p) / (365.25 * 86_400)
""")

answers.right("for some pair exactly", ("pairs * p**2", "(1 - (1 - p**2) ** pairs)"))

answers.wrong("one node", ("p**2", "p"), reason="right is 23.66")

answers.wrong("one pair", ("pairs * p**2", "p**2"), reason="With 1 mishaps a day, batches of 10 s and 1000 pairs")

answers.wrong("pairs squared", ("pairs * p**2", "(pairs * p) ** 2"), reason="1000 pairs")

answers.wrong("days", ("365.25 * 86_400", "86_400"), reason="right is 23.66")

answers.wrong("the fleet lasts longer", ("1 / (pairs * p**2", "pairs / (p**2"), reason="1000 pairs")
