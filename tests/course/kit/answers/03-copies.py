"""Answers to the gap 03-copies."""

from tests.course.answers import Answers

answers = Answers("03-copies")

answers.right("a table").code("""
    def answer(retry, kind):
        return {"lost request": 0, "lost reply": 1, "crash before": 0, "crash after": 1}[kind] + (retry == "retry")
""")

answers.wrong(
    "crashes are all alike",
    ('request", "crash before', 'reply", "crash before", "crash after'),
    of="the wrong way round",
    reason="the log holds it once",
)

answers.wrong("forgets the reply", reason="the log holds it twice").code("""
    def answer(retry, kind):
        if retry == "retry":
            return 2 if kind == "crash after" else 1
        return 1 if kind in ("lost reply", "crash after") else 0
""")

answers.wrong("gives up too late", reason="the log holds it not at all").code("""
    def answer(retry, kind):
        return 2 if kind in ("lost reply", "crash after") and retry == "retry" else 1
""")

answers.wrong("retry is always one", reason="the log holds it twice").code("""
    def answer(retry, kind):
        return 1 if retry == "retry" else int(kind in ("lost reply", "crash after"))
""")

answers.wrong("the wrong way round", reason="the log holds it once").code("""
    def answer(retry, kind):
        appended = kind in ("lost request", "crash before")
        return appended + (retry == "retry")
""")
