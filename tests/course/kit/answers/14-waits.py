"""Answers to the gap 14-waits."""

from tests.course.answers import Answers

answers = Answers("14-waits")

answers.right("all before it").code("""
    def answer(records, ends):
        return [
            max(ends[whose] for _, whose in records[: number + 1]) - sent
            for number, (sent, _) in enumerate(records)
        ]
""")
answers.wrong("its own transaction", ("max(stable, ends[whose])", "ends[whose]"), reason="of one that ends later")
answers.wrong("the end of all", ("max(stable, ends[whose])", "max(ends.values())"), reason="right is 2")
answers.wrong("the moment", ("stable - sent", "stable"), reason="so right is 2")
answers.wrong("a number", ("return seen\n", "return max(seen, default=0)\n"), reason="return a list")
