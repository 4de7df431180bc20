"""Answers to the gap 07-where."""

from tests.course.answers import Answers

answers = Answers("07-where")

answers.right("for update").code("""
    def answer(session, number):
        if session.read_for_update("index") != number:
            return session.rollback()
        session.update("counter", session.read_for_update("counter") + 1)
        session.update("index", number + 1)
        return session.commit()
""")

answers.right("index first").code("""
    def answer(session, number):
        if session.update_where("index", number, number + 1):
            session.add("counter", 1)
        session.commit()
""")

answers.wrong("next but one", ("number + 1", "number + 2"), reason="On a node of its own")

answers.wrong(
    "set",
    ('session.update_where("index", number, number + 1)', 'session.update("index", number + 1)'),
    of="count ignored",
    reason="the counter was moved",
)

answers.wrong(
    "upside down",
    ('("index", number, number + 1) == 1:', '("index", number, number + 1) == 0:'),
    reason="On a node of its own",
)

answers.wrong("no rollback", reason="commit it or roll it back").diff("""
    -    else:
    -        session.rollback()
""")

answers.wrong("two transactions", of="count ignored", reason="no open transaction").diff("""
         session.add("counter", 1)
    +    session.commit()
""")

answers.wrong("read again", reason="the counter was moved").diff("""
    -    if session.update_where("index", number, number + 1) == 1:
    +    if session.read("index") == number:
    +        session.update("index", number + 1)
""")

answers.wrong("count ignored", reason="the counter was moved").code("""
    def answer(session, number):
        if session.read("index") != number:
            session.rollback()
            return
        session.add("counter", 1)
        session.update_where("index", number, number + 1)
        session.commit()
""")
