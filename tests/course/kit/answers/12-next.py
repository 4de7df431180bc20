"""Answers to the gap 12-next."""

from tests.course.answers import Answers

answers = Answers("12-next")

answers.right("looks at the newest commit").code("""
    def answer(offsets, commits):
        if not offsets:
            return 0, "new"
        last = max(offsets)
        return [last + 1, "new"] if max(commits, default=None) == last else [last, "again"]
""")

answers.wrong("always the next", reason="returns (1, 'new'); right is (0, 'again')").code("""
    def answer(offsets, commits):
        return max(offsets, default=-1) + 1, "new"
""")

answers.wrong("counts the files", reason="With the offsets [9, 10, 8]").code("""
    def answer(offsets, commits):
        last = len(offsets) - 1
        return (last + 1, "new") if len(commits) == len(offsets) else (last, "again")
""")

answers.wrong("after the newest commit", reason="returns (0, 'new'); right is (0, 'again')").code("""
    def answer(offsets, commits):
        return max(commits, default=-1) + 1, "new"
""")

answers.wrong("the first that is missing", reason="With the offsets [9, 10, 8]").code("""
    def answer(offsets, commits):
        batch = 0
        while batch in commits:
            batch += 1
        return batch, "again" if batch in offsets else "new"
""")

answers.wrong("goes by the order of the list", reason="With the offsets [2, 0, 1]").code("""
    def answer(offsets, commits):
        last = offsets[-1] if offsets else -1
        return (last, "again") if offsets and last not in commits else (last + 1, "new")
""")

answers.wrong("nothing for an empty folder", reason="fails with ValueError").code("""
    def answer(offsets, commits):
        last = max(offsets)
        return (last, "again") if last not in commits else (last + 1, "new")
""")

# Old files are removed, and not from both logs at the same moment.
answers.wrong(
    "fewer commits than offsets",
    ("last not in commits and last >= 0", "len(commits) < len(offsets)"),
    reason="(6, 'again')",
)

answers.wrong("looks for any gap", reason="right is (7, 'new')").code("""
    def answer(offsets, commits):
        missing = sorted(set(offsets) - set(commits))
        return (missing[0], "again") if missing else (max(offsets, default=-1) + 1, "new")
""")
