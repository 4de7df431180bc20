"""Answers to the gap 02-elect."""

from tests.course.answers import Answers

answers = Answers("02-elect")

answers.right("the longest in sync").code("""
    def answer(in_sync, alive, ends):
        able = set(in_sync) & set(alive)
        return max(able, key=lambda broker: ends[broker], default=None)
""")

answers.wrong(
    "fails without candidates",
    ("able[0] if len(able) > len(ends) // 2 else None", "able[0]"),
    of="only with a majority",
    reason="IndexError",
)

answers.wrong("a list", reason="elect one of the brokers").code("""
    def answer(in_sync, alive, ends):
        return [broker for broker in in_sync if broker in alive]
""")

answers.wrong("anybody who lives", reason="not in sync").code("""
    def answer(in_sync, alive, ends):
        return alive[0] if alive else None
""")

answers.wrong("only with a majority", reason="Nobody is elected").code("""
    def answer(in_sync, alive, ends):
        able = [broker for broker in in_sync if broker in alive]
        return able[0] if len(able) > len(ends) // 2 else None
""")

answers.wrong("the dead one", reason="which is dead").code("""
    def answer(in_sync, alive, ends):
        return in_sync[0]
""")

answers.wrong("the longest log", reason="is the longest").code("""
    def answer(in_sync, alive, ends):
        able = [broker for broker in alive if broker in in_sync] or []
        return max(alive, key=lambda broker: (ends[broker], broker in in_sync), default=None) if able else None
""")
