"""Answers to the gap 06-surplus."""

from tests.course.answers import Answers

answers = Answers("06-surplus")

answers.right("by a set").code("""
    WHERE = {
        "database.increment": ("crash after", "lost reply"),
        "transaction.offsets": ("crash before", "crash after"),
        "transaction.end": ("crash before",),
    }


    def answer(step, kind):
        return int(kind in WHERE.get(step, ()))
""")

answers.wrong("every crash", reason="surplus('transaction.send', 'crash before') returns 1").code("""
    def answer(step, kind):
        return int(kind.startswith("crash"))
""")

answers.wrong(
    "lost replies end the incarnation", reason="surplus('transaction.offsets', 'lost request') returns 1"
).code("""
    def answer(step, kind):
        if step == "transaction.offsets":
            return 1
        return int((step, kind) in (("database.increment", "crash after"), ("database.increment", "lost reply")))
""")

answers.wrong("never", reason="the counter is 5, and without it 4").code("""
    def answer(step, kind):
        return 0
""")

answers.wrong("says the counter", reason="returns 4").code("""
    def answer(step, kind):
        return 4
""")

answers.wrong(
    "the database forgets a lost reply", reason="surplus('database.increment', 'lost reply') returns 0"
).code("""
    def answer(step, kind):
        if step == "database.increment":
            return int(kind == "crash after")
        if step == "transaction.offsets":
            return int(kind.startswith("crash"))
        return int((step, kind) == ("transaction.end", "crash before"))
""")

answers.wrong("the end is too late", reason="surplus('transaction.end', 'crash after') returns 1").code("""
    def answer(step, kind):
        if step == "database.increment":
            return int(kind in ("crash after", "lost reply"))
        return int(step != "transaction.send" and kind.startswith("crash"))
""")
