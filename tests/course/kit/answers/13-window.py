"""Answers to the gap 13-window."""

from tests.course.answers import Answers

answers = Answers("13-window")

answers.right("a range").code("""
    def answer(number, last, restarted):
        known = range(last if restarted else last - 4, last + 1)
        if number in known:
            return "duplicate"
        return "appended" if number - last == 1 else "out of order"
""")
answers.wrong("five for ever", ("1 if restarted else 5", "5"), reason="answers 'out of order'")
answers.wrong(
    "nothing after a restart", ("1 if restarted else 5", "0 if restarted else 5"), reason="answers 'duplicate'"
)
answers.wrong(
    "everything is known", ("last - remembered < number <= last", "number <= last"), reason="hears(4, 9, False)"
)
answers.wrong("six are known", ("last - remembered <", "last - remembered <="), reason="returns 'duplicate'")
answers.wrong("gaps are taken", ("number == last + 1", "number > last"), reason="answers 'out of order'")
answers.wrong(
    "never appended", ('        return "appended"', '        return "accepted"'), reason="answers 'appended'"
)
