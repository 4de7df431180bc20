"""Answers to the exercise 04e."""

from tests.course.answers import Answers

given = """
    from exactly_once.faults import Fault, FaultPlan
"""
answers = Answers("04e", given)

# No crash, and nothing lost: the request arrives twice. Given as a token.
answers.right("arrives twice").code("""
    answer = FaultPlan([Fault("database.increment", 6, "duplicated request")]).token
""")

# No crash at all: the request of the increment is lost.
answers.right("request lost").code("""
    answer = [Fault("database.increment", 4, "lost request")]
""")

# Strikes after the increment, when note and increment are both done. Plausible: it strikes, one step too late.
answers.plausible("after the increment", reason="can be repeated, or was complete").code("""
    answer = FaultPlan([Fault("database.increment", 3, "crash after")])
""")

# Hits the cas of the output, which a later life repeats without harm. Plausible: it strikes, at the other cas.
answers.plausible("the outputs cas", reason="can be repeated, or was complete").code("""
    answer = FaultPlan([Fault("register.cas", 3, "crash after")])
""")

# Writes the letter, and no plan.
answers.wrong("a word", reason="is no token of a fault plan").code("""
    answer = "B"
""")

# Tries B, where the chapter's handler was hurt.
answers.wrong("at a letter", reason="At all five letters the handler is safe").code("""
    answer = FaultPlan.crash("B", 3)
""")

# Tries D, the worst point of the chapter's handler.
answers.wrong("between state and positions", reason="At all five letters the handler is safe").code("""
    answer = FaultPlan.crash("D", 5)
""")

# The right step at hour 1, where the window holds two numbers and nothing is counted.
answers.wrong("hour that counts nothing", reason="Not reached").code("""
    answer = FaultPlan([Fault("database.increment", 1, "crash before")])
""")

# An empty plan.
answers.wrong("nothing at all", reason="The plan has 0 faults").code("""
    answer = FaultPlan()
""")

# Loses the reply of the increment: the life gives up, but the note and the increment are both done.
answers.wrong("reply lost", reason="can be repeated, or was complete").code("""
    answer = Fault("database.increment", 3, "lost reply")
""")

# Aims at output.push, which this handler never calls.
answers.wrong("step that it does not take", reason="Not reached").code("""
    answer = FaultPlan([Fault("output.push", 3, "crash after")])
""")

# Throws two crashes at it.
answers.wrong("two faults", reason="The plan has 2 faults").code("""
    answer = FaultPlan([Fault("B", 3), Fault("C", 4)])
""")
