"""Answers to the gap 04-every-place."""

from tests.course.answers import Answers

given = """
    from exactly_once.faults import Fault, FaultPlan
"""
answers = Answers("04-every-place", given)

answers.right("after each").code("""
    def answer(steps):
        return (FaultPlan((Fault(step, 3, "crash after"),)) for step in steps)
""")

answers.right("the letters").code("""
    def answer(steps):
        after_all = FaultPlan([Fault("positions.save", 3, "crash after")])
        return [*(FaultPlan.crash(letter, 3) for letter in "ABCDE"), after_all]
""")

answers.wrong(
    "only names",
    ('(FaultPlan((Fault(step, 3, "crash after"),)) for step in steps)', "steps"),
    of="after each",
    reason="which is no fault plan",
)

answers.wrong("a lost reply", reason="one crash at hour 3").code("""
    def answer(steps):
        return [FaultPlan([Fault(step, 3, "lost reply")]) for step in steps]
""")

answers.wrong("all in one", reason="one crash at hour 3").code("""
    def answer(steps):
        return [FaultPlan([Fault(step, 3, "crash after") for step in steps[:2]])]
""")

answers.wrong("another hour", reason="one crash at hour 3").code("""
    def answer(steps):
        return [FaultPlan([Fault(step, 4, "crash after")]) for step in steps]
""")

answers.wrong("faults in no plan", reason="which is no fault plan").code("""
    def answer(steps):
        return [Fault(step, 3, "crash after") for step in steps]
""")

answers.wrong("one is left out", reason="after database.increment and before state.save").code("""
    def answer(steps):
        kinds = {"input.read": "crash after", "state.save": "crash after", "positions.save": "crash after"}
        kinds["database.increment"] = "crash before"
        return [FaultPlan([Fault(step, 3, kind)]) for step, kind in kinds.items()]
""")

answers.wrong("only before", reason="after its last write").code("""
    def answer(steps):
        return [FaultPlan([Fault(step, 3, "crash before")]) for step in steps]
""")
