"""Answers to the gap 14-interval."""

from tests.course.answers import Answers

answers = Answers("14-interval")

answers.right("the use of a second first").code("""
    def answer(rate, record, commit, use):
        busy = rate * record
        return None if busy >= use else commit / (use - busy)
""")
answers.wrong("without the records", ("use - rate * record", "use"), reason="they and the commit take")
answers.wrong("busy all the time", ("use - rate * record", "1 - rate * record"), reason="may be used")
answers.wrong("one record", ("rate * record", "record"), reason="they and the commit take")
answers.wrong("never too many", (" if spare > 0 else None", ""), reason="the records alone take")
answers.wrong("a whole second", ("return commit / spare", "return 1"), reason="right is 0.01 s")
