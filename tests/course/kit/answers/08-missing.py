"""Answers to the gap 08-missing."""

from tests.course.answers import Answers

answers = Answers("08-missing")

answers.right("by a table").code("""
    GONE = {("ordered", "store.write"): [1], ("cas", "store.cas"): [1],
            ("halves", "store.write"): [1], ("halves", "lock.release"): [0, 1]}


    def answer(stage, step, kind, amount):
        return amount * (["crash before", "crash after"].index(kind) in GONE.get((stage, step), []))
""")

answers.wrong("every crash after a write of any kind", reason="In this run 0 is gone").code("""
    def answer(stage, step, kind, amount):
        return amount if kind == "crash after" and step.startswith("store.") else 0
""")

answers.wrong("never", reason="returns 0. In this run 4 is gone").code("""
    def answer(stage, step, kind, amount):
        return 0
""")

answers.wrong(
    "ordered locks are safe", reason="missing('ordered', 'store.write', 'crash after', 4) returns 0"
).code("""
    def answer(stage, step, kind, amount):
        if stage in ("transaction", "ordered"):
            return 0
        withdrawn = step in ("store.write", "store.cas") and kind == "crash after"
        return amount if withdrawn or step == "lock.release" else 0
""")

answers.wrong("says what is left", reason="returns 6").code("""
    def answer(stage, step, kind, amount):
        gone = step in ("store.write", "store.cas") and kind == "crash after"
        return 10 - amount if gone or (stage, step) == ("halves", "lock.release") else 0
""")

answers.wrong(
    "the first release is the last", reason="missing('halves', 'lock.release', 'crash before', 7) returns 0"
).code("""
    def answer(stage, step, kind, amount):
        return amount if step in ("store.write", "store.cas") and kind == "crash after" else 0
""")

answers.wrong("always seven", ("return amount", "return 7"), reason="returns 7. In this run 4 is gone")
