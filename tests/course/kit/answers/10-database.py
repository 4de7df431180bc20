"""Answers to the gap 10-database."""

from tests.course.answers import Answers

answers = Answers("10-database")

answers.right("effect first").code("""
    def answer(database, version, index):
        effect, moved = ("add", "counter", 1), ("cas", "index", version, index + 1)
        database.transact(effect, moved)
""")

answers.wrong("adds the index", reason="One node, and nothing goes wrong: ").code("""
    def answer(database, version, index):
        database.transact(("cas", "index", version, index + 1), ("add", "counter", index))
""")

answers.wrong(
    "effect then index", reason="the index says that 0 messages were applied, and the counter is 1"
).code("""
    def answer(database, version, index):
        database.increment()
        database.cas("index", version, index + 1)
""")

answers.wrong(
    "index then effect", reason="the index says that 1 messages were applied, and the counter is 0"
).code("""
    def answer(database, version, index):
        if database.cas("index", version, index + 1):
            database.increment()
""")

answers.wrong("two transactions", reason="and the counter is 1").code("""
    def answer(database, version, index):
        database.transact(("add", "counter", 1))
        database.transact(("cas", "index", version, index + 1))
""")

answers.wrong("writes the index", reason="Two nodes at once: ").code("""
    def answer(database, version, index):
        database.transact(("write", "index", index + 1), ("add", "counter", 1))
""")
