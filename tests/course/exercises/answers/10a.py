"""Answers to the exercise 10a."""

from tests.course.answers import Answers

answers = Answers("10a")

answers.right("for update").code("""
    def answer(session, read):
        index = session.read_for_update("index")
        counter = session.read("counter")
        session.update("counter", counter + read(index))
        session.update("index", index + 1)
        session.commit()
""")

answers.right("insert").code("""
    def answer(session, read):
        index = session.read("index")
        amount = read(index)
        if session.insert(f"message {index}", "applied") == 0:
            session.rollback()
            return
        session.add("counter", amount)
        session.add("index", 1)
        session.commit()
""")

answers.right("where first", of="insert").diff("""
    -    if session.insert(f"message {index}", "applied") == 0:
    +    if not session.update_where("index", index, index + 1):
    @@
    -    session.add("index", 1)
""")

# Plausible: right as long as one node runs it.
answers.plausible("the articles", reason="At read committed, two nodes at once").code("""
    def answer(session, read):
        index = session.read("index")
        session.add("counter", read(index))
        session.update("index", index + 1)
        session.commit()
""")

# Plausible: the index is set once, but the effect stays.
answers.plausible(
    "count not looked at",
    ('session.update("index", index + 1)', 'session.update_where("index", index, index + 1)'),
    of="the articles",
    reason="At read committed, two nodes at once",
)

answers.wrong(
    "never commits", of="the articles", reason="commit it or roll it back before the next one begins"
).diff("""
    -    session.commit()
""")

answers.wrong(
    "reads again",
    ('insert(f"message {index}", "applied") == 0', 'read("index") != index'),
    ('session.add("index", 1)', 'session.update("index", index + 1)'),
    of="insert",
    reason="At read committed, two nodes at once",
)

answers.wrong("two transactions", of="the articles", reason="has no open transaction").diff("""
         session.add("counter", read(index))
    +    session.commit()
""")

answers.wrong("compares the counter", reason="At read committed, two nodes at once").code("""
    def answer(session, read):
        counter, index = session.read("counter"), session.read("index")
        amount = read(index)
        if session.update_where("counter", counter, counter + amount):
            session.update("index", index + 1)
            session.commit()
        else:
            session.rollback()
""")
