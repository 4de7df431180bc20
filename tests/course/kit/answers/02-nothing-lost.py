"""Answers to the gap 02-nothing-lost."""

from tests.course.answers import Answers

answers = Answers("02-nothing-lost")

answers.right("by a loop").code("""
    def answer(acknowledged, leader):
        for offset, value in acknowledged if leader is not None else []:
            if offset >= len(leader) or leader[offset] != value:
                return False
        return True
""")

answers.wrong("always", reason="is broken").code("""
    def answer(acknowledged, leader):
        return True
""")

answers.wrong("fails beyond the end", reason="IndexError").code("""
    def answer(acknowledged, leader):
        return leader is None or all(leader[offset] == value for offset, value in acknowledged)
""")

answers.wrong("as many", reason="is broken").code("""
    def answer(acknowledged, leader):
        return leader is None or len(leader) >= len(acknowledged)
""")

answers.wrong("no leader is a loss", reason="Nothing is lost while nobody leads").code("""
    def answer(acknowledged, leader):
        there = list(enumerate(leader or []))
        return all(one in there for one in acknowledged)
""")

answers.wrong("somewhere in the log", reason="holds something else").code("""
    def answer(acknowledged, leader):
        return leader is None or all(value in leader for _, value in acknowledged)
""")

answers.wrong("the first ones", reason="the cake was acknowledged, and is there").code("""
    def answer(acknowledged, leader):
        return leader is None or leader[: len(acknowledged)] == [value for _, value in acknowledged]
""")

answers.wrong("the same and no more", reason="on its way").code("""
    def answer(acknowledged, leader):
        return leader is None or [value for _, value in acknowledged] == leader
""")

answers.wrong("what is missing", reason="True or False").code("""
    def answer(acknowledged, leader):
        return [] if leader is None else [one for one in acknowledged if one not in list(enumerate(leader))]
""")
