"""Answers to the gap 11-grows."""

from tests.course.answers import Answers

answers = Answers("11-grows")

answers.right("one by one").code("""
    def answer(seen):
        before = []
        for now in seen:
            if now[: len(before)] != before:
                return False
            before = now
        return True
""")

LATER = "later[: len(earlier)] == earlier for"

answers.wrong("longer", (LATER, "len(later) >= len(earlier) for"), reason="[['a'], ['b', 'a']]")

answers.wrong("nothing is missing", (LATER, "set(earlier) <= set(later) for"), reason="[['a'], ['b', 'a']]")

answers.wrong(
    "strictly longer",
    (LATER, "len(later) > len(earlier) and later[: len(earlier)] == earlier for"),
    reason="[['a'], ['a']]",
)

answers.wrong("only the last look", reason="[[], ['a'], [], ['a']]").code("""
    def answer(seen):
        return not seen or seen[-1][: len(seen[0])] == seen[0]
""")

answers.wrong(
    "the end stays",
    (LATER, "later[-len(earlier):] == earlier or later[: len(earlier)] == earlier for"),
    reason="[['a'], ['b', 'a']]",
)
