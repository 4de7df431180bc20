"""Answers to the exercise 04a."""

from tests.course.answers import Answers

answers = Answers("04a")

# One hour as a number, the others in another order and one of them twice.
answers.right("out of order and twice").code("""
    answer = {"doubled": 4, "missing": set(), "wrong": [5, 4, 5], "counter": 8}
""")

# Sets, a range and an empty tuple in place of lists.
answers.right("sets and a range").code("""
    answer = {"counter": 8, "wrong": range(4, 6), "missing": (), "doubled": {4}}
""")

# Predicts the damage of a crash at C: the state was not saved there. Plausible: right but for the wrong averages.
answers.plausible("as at c", reason="counts twice in every average").code("""
    answer = {"doubled": [4], "missing": [], "wrong": [], "counter": 8}
""")

# Forgets that the database keeps what life 1 told it. Plausible: right but for the counter.
answers.plausible("counter forgotten", reason="the counter does not end at 7").code("""
    answer = {"doubled": [4], "missing": [], "wrong": [4, 5], "counter": 7}
""")

# Thinks that the unfinished work of a dead process is lost.
answers.wrong("lost instead of doubled", reason="the first process had pushed this average before it died").code("""
    answer = {"doubled": [], "missing": [4], "wrong": [], "counter": 6}
""")

# Takes the harm for over with the pass in which the crash came.
answers.wrong("one hour alone", reason="left out 1 of the 2 hours").code("""
    answer = {"doubled": [4], "missing": [], "wrong": [4], "counter": 8}
""")

# Takes the doubled average for that of the hour after the crash.
answers.wrong("the next hour doubled", reason="Hour 5 is not doubled").code("""
    answer = {"doubled": [4, 5], "missing": [], "wrong": [4, 5], "counter": 8}
""")

# Counts the window as three hours: a reading leaves at hour n + 2.
answers.wrong("window an hour too long", reason="Hour 6 is not wrong").code("""
    answer = {"doubled": [4], "missing": [], "wrong": [4, 5, 6], "counter": 8}
""")

# Writes words where hours are asked for.
answers.wrong("words for hours", reason="An hour that is doubled").code("""
    answer = {"doubled": "hour 4", "missing": [], "wrong": [4, 5], "counter": 8}
""")
