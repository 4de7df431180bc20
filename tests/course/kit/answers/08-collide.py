"""Answers to the gap 08-collide."""

from tests.course.answers import Answers

answers = Answers("08-collide")

answers.right("the other way round").code("""
    def answer():
        return (("c", "b", 5), ("b", "a", 2), ("a", "c", 9))
""")

answers.wrong(
    "an account that is not there",
    ('(("c", "b", 5), ("b", "a", 2), ("a", "c", 9))', '[("a", "b", 1), ("b", "d", 1), ("d", "a", 1)]'),
    of="the other way round",
    reason="name two of a, b, c",
)

answers.wrong(
    "no ring",
    ('(("c", "b", 5), ("b", "a", 2), ("a", "c", 9))', '[("a", "b", 1), ("a", "c", 1), ("b", "c", 1)]'),
    of="the other way round",
    reason="No schedule of these three ends in a deadlock",
)

answers.wrong(
    "there and back",
    ('(("c", "b", 5), ("b", "a", 2), ("a", "c", 9))', '[("a", "b", 1), ("b", "a", 1), ("c", "a", 1)]'),
    of="the other way round",
    reason="Two of them are enough",
)

answers.wrong(
    "two orders",
    ('(("c", "b", 5), ("b", "a", 2), ("a", "c", 9))', '[("a", "b", 1), ("b", "a", 1)]'),
    of="the other way round",
    reason="give a list of three orders",
)

answers.wrong(
    "without amounts",
    ('(("c", "b", 5), ("b", "a", 2), ("a", "c", 9))', '[("a", "b"), ("b", "c"), ("c", "a")]'),
    of="the other way round",
    reason="each is (source, target, amount)",
)
