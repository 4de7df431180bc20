"""Answers to the gap 13-doubt."""

from tests.course.answers import Answers

ANYWAY = ("verbs[decided[name]]", 'verbs.get(decided.get(name), "ROLLBACK")')
answers = Answers("13-doubt")

answers.right("one after another, in small letters").code("""
    def answer(prepared, decided):
        found = []
        for name in sorted(prepared):
            quoted = "'" + name.replace("'", "''") + "'"
            if decided.get(name) == "commit":
                found.append(f"commit prepared {quoted};")
            elif decided.get(name) == "abort":
                found.append(f"rollback prepared {quoted};")
        return found
""")
answers.wrong(
    "unknown is rolled back", ("if decided.get(name) in verbs", ""), ANYWAY, reason="'a' is 'open' in the log"
)
answers.wrong(
    "the strangers' too",
    ("if decided.get(name) in verbs", 'if decided.get(name) != "open"'),
    ANYWAY,
    reason="'pay-7' is 'unknown' in the log",
)
answers.wrong(
    "all decisions", ("for name in prepared", "for name in decided"), reason="nothing of that name is prepared"
)
answers.wrong("commits everything", ('"abort": "ROLLBACK"', '"abort": "COMMIT"'), reason="'a' is 'abort' in the log")
answers.wrong("not quoted", (""".replace("'", "''")""", ""), reason="return a list of statements")
answers.wrong("ids alone", reason="return a list of statements").code("""
    def answer(prepared, decided):
        return [name for name in prepared if decided.get(name) == "commit"]
""")
answers.wrong(
    "commits alone", ('"commit": "COMMIT", "abort": "ROLLBACK"', '"commit": "COMMIT"'), reason="leaves it as it is"
)
