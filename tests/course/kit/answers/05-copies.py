"""Answers to the gap 05-copies."""

from tests.course.answers import Answers

answers = Answers("05-copies")

answers.right("by a table").code("""
    def answer(rule, kind):
        doubling = {"no rule": ("lost reply", "crash after"), "Kafka's rule, new ids": ("crash after",)}
        return 1 + (kind in doubling.get(rule, ()))
""")

answers.wrong("a new id for each request", reason="the log holds it once").code("""
    def answer(rule, kind):
        return 2 if rule in ("no rule", "Kafka's rule, new ids") and kind in ("lost reply", "crash after") else 1
""")

answers.wrong("a new id is recognised", reason="the log holds it twice").code("""
    def answer(rule, kind):
        return 2 if rule == "no rule" and kind in ("lost reply", "crash after") else 1
""")

answers.wrong("a refused duplicate is no copy", reason="the log holds it once").code("""
    def answer(rule, kind):
        if kind in ("lost request", "crash before"):
            return 1
        return {"no rule": 2, "the article's rule": 0, "Kafka's rule": 1}.get(rule, 1 + (kind == "crash after"))
""")

answers.wrong("every fault doubles without a rule", reason="the log holds it once").code("""
    def answer(rule, kind):
        return 2 if rule == "no rule" or (rule == "Kafka's rule, new ids" and kind == "crash after") else 1
""")
