"""Answers to the gap 06-could-show."""

from tests.course.answers import Answers

answers = Answers("06-could-show")

answers.right("lists what can be seen").code("""
    import itertools


    def answer(store, seen):
        lagging = {(), *itertools.accumulate((name,) for name in store.committed)}
        return tuple(seen) in lagging
""")

answers.right("one by one").code("""
    def answer(store, seen):
        left = list(store.committed)
        while seen and left and seen[0] == left[0]:
            seen, left = seen[1:], left[1:]
        return not seen
""")

answers.wrong(
    "counts",
    ("return store.committed[: len(seen)] == tuple(seen)", "return len(seen) <= len(store.committed)"),
    reason="is not committed",
)

answers.wrong(
    "fails where nothing is seen",
    ("return store", "return seen[-1] in store.committed and store"),
    reason="fails with IndexError",
)

answers.wrong(
    "no reader may lag",
    ("store.committed[: len(seen)] == tuple(seen)", "tuple(seen) == store.committed"),
    reason="readers may lag behind",
)

answers.wrong("compares sets", reason="another order").code("""
    def answer(store, seen):
        return set(seen) == set(store.committed[: len(seen)]) and len(seen) <= len(store.committed)
""")

answers.wrong("in any order", reason="The reader misses an earlier transaction").code("""
    def answer(store, seen):
        return set(seen) <= set(store.committed) and len(set(seen)) == len(seen)
""")

answers.wrong("returns what is seen", reason="Return True or False").code("""
    def answer(store, seen):
        return [name for name in seen if name in store.committed]
""")

answers.wrong("skips one", reason="The reader misses an earlier transaction").code("""
    def answer(store, seen):
        left = iter(store.committed)
        return all(name in left for name in seen)
""")

answers.wrong("stops at the shorter", reason="is not committed").code("""
    def answer(store, seen):
        return all(one == other for one, other in zip(store.committed, seen, strict=False))
""")

answers.wrong("the last one over and over", reason="sees one twice").code("""
    def answer(store, seen):
        left = list(store.committed)
        while seen and left and seen[0] == left[0]:
            seen = [name for name in seen if name != left[0]]
            left.pop(0)
        return not seen
""")

answers.wrong("whatever is committed", reason="The reader misses an earlier transaction").code("""
    def answer(store, seen):
        return all(name in store.committed for name in seen)
""")
