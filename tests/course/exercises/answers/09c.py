"""Answers to the exercise 09c."""

from tests.course.answers import Answers

answers = Answers("09c")

# Q is swept before it has moved the hint, so that P, who begins afterwards, finds cell 0 empty.
answers.right("hint lags").code("""
    answer = list("QQRRR")
""")

# P reads the hint and falls asleep; Q fills the cell, and retention empties it.
answers.right("pusher sleeps").code("""
    answer = "PQQQRRR"
""")

# Q sleeps in the middle of P, who does not get to move the hint.
answers.right("the other way round").code("""
    answer = "q p p r r r q"
""")

# Retention looks in time, but empties too late. Plausible: P stops in the middle of Q.
answers.plausible("looks but sleeps", reason="Both records").code("""
    answer = "PQQQRPPPRR"
""")

# P has found cell 0 taken before it is emptied. Plausible: P stops in the middle of Q.
answers.plausible("past the cell", reason="is past the cell that is emptied").code("""
    answer = "PQQQPRRRP"
""")

# P is past its write when it falls asleep. Plausible: P stops in the middle of Q.
answers.plausible("sleeps too late", reason="Both records are in their cells before one is emptied").code("""
    answer = "PPQQQRRRP"
""")

# A process that does not exist.
answers.wrong("nobody", reason="There is no process 'S'").code("""
    answer = "PQS"
""")

# No schedule at all.
answers.wrong("number", reason="it is a text").code("""
    answer = 7
""")

# Each to its end.
answers.wrong("one after the other", reason="Both records are in their cells before one is emptied").code("""
    answer = "PPPQQQRRR"
""")

# Retention finds nothing.
answers.wrong("retention first", reason="Retention comes too early").code("""
    answer = "RPPPQQQ"
""")

# P begins when the hint has moved.
answers.wrong("sees the hint", reason="it read the hint after it was moved").code("""
    answer = "QQQRRRPPP"
""")

# A step of a process that has ended.
answers.wrong("too many steps", reason="has finished before").code("""
    answer = "QQQQ"
""")
