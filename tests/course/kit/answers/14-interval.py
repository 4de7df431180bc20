"""Answers to the gap 14-interval."""

from tests.course.answers import Answers

answers = Answers("14-interval")

answers.right("the limit first").code("""
    def answer(rate, record, commit, limit):
        room = limit * (1 - rate * record)
        return commit / (1 - rate * record) if commit <= room else None
""")
answers.wrong("without the records", ("1 - rate * record", "1"), reason="they and the commit take")
answers.wrong("without the limit", (" or commit / spare > limit", ""), reason="longer than the limit")
answers.wrong("one record", ("rate * record", "record"), reason="they and the commit take")
answers.wrong("never too many", ("spare <= 0 or ", ""), reason="the records alone take")
answers.wrong("always the limit", ("return commit / spare\n", "return limit\n"), reason="right is 0.01 s")
