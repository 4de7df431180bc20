"""Answers to the gap 09-leader."""

from tests.course.answers import Answers

given = """
    from exactly_once.lockfree.queue import EMPTY, cell
"""
answers = Answers("09-leader", given)

answers.right("one loop").code("""
    def answer(leader, follower):
        index, who = 0, follower
        while True:
            if who.read(cell("queue", index))[0] != EMPTY:
                index += 1
            elif who is follower:
                who = leader
            else:
                return index
""")

answers.wrong(
    "asks the leader once",
    ("return index", 'return index if leader.read(cell("queue", index))[0] == EMPTY else index + 1'),
    of="the follower alone",
    reason="the follower knows of 3: your lines return 4",
)

answers.wrong(
    "the leader alone",
    ("while follower", "while leader"),
    of="the follower alone",
    reason="ask the leader 7 times, and 1 would do",
)

answers.wrong("either says empty", reason="your lines ask the leader 6 times, and 1 would do").code("""
    def answer(leader, follower):
        index = 0
        while all(one.read(cell("queue", index))[0] != EMPTY for one in (follower, leader)):
            index += 1
        return index
""")

answers.wrong("from the end", reason="your lines return 5, and the first empty cell is 6").code("""
    def answer(leader, follower):
        index = 0
        while follower.read(cell("queue", index))[0] != EMPTY:
            index += 1
        while leader.read(cell("queue", index))[0] != EMPTY:
            index += 1
        return index - 1
""")

answers.wrong("the follower alone", reason="the follower knows of 5: your lines return 5").code("""
    def answer(leader, follower):
        index = 0
        while follower.read(cell("queue", index))[0] != EMPTY:
            index += 1
        return index
""")
