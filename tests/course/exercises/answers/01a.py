"""Answers to the exercise 01a."""

from tests.course.answers import Answers

answers = Answers("01a")

# A number for each event, by name, in no order.
answers.right("event by event").code("""
    answer = {
        "p2.4": 7,
        "p3.6": 6,
        "p2.3": 6,
        "p3.5": 5,
        "p1.4": 4,
        "p3.4": 4,
        "p1.3": 3,
        "p3.3": 3,
        "p1.2": 2,
        "p2.2": 2,
        "p3.2": 2,
        "p3.1": 1,
        "p2.1": 1,
        "p1.1": 1,
    }
""")

# The three rules, as lists.
answers.right("lists").code("""
    answer = {"p1": [1, 2, 3, 4], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 6]}
""")

# Tuples and a range in place of lists.
answers.right("tuples and a range").code("""
    answer = {"p3": range(1, 7), "p2": (1, 2, 6, 7), "p1": (1, 2, 3, 4)}
""")

# The receipt takes the message's stamp plus 1, whatever the clock was at. Plausible: the stamps of p1 are right.
answers.plausible("clock goes back", reason="a clock can go back").code("""
    answer = {"p1": [1, 2, 3, 4], "p2": [1, 2, 5, 6], "p3": [1, 2, 3, 3, 4, 5]}
""")

# One receipt went 1 beyond the message, and the own clock was ahead. Plausible: all but one stamp are right.
answers.plausible("one slip", reason="p3.6 receives a message stamped 4").code("""
    answer = {"p1": [1, 2, 3, 4], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 5]}
""")

# Each process counts its own events. Plausible: the stamps of p1 and p3 are right.
answers.plausible("own events only", reason="count each process's own events").code("""
    answer = {"p1": [1, 2, 3, 4], "p2": [1, 2, 3, 4], "p3": [1, 2, 3, 4, 5, 6]}
""")

# The receipt adds up the clock and the stamp.
answers.wrong("added up", reason="add the two up").code("""
    answer = {"p1": [1, 2, 5, 6], "p2": [1, 2, 10, 11], "p3": [1, 2, 3, 6, 7, 14]}
""")

# A list that is too short.
answers.wrong("an event left out", reason="For p2 you give 3 stamps; it has 4 events").code("""
    answer = {"p1": [1, 2, 3, 4], "p2": [1, 2, 6], "p3": [1, 2, 3, 4, 5, 6]}
""")

# The first event of each process is stamped 0.
answers.wrong("from zero", reason="p1.1 is a local event").code("""
    answer = {"p1": [0, 1, 2, 3], "p2": [0, 1, 5, 6], "p3": [0, 1, 2, 3, 4, 5]}
""")

# The events numbered as they are drawn.
answers.wrong("left to right", reason="numbered the events from left to right").code("""
    answer = {"p1": [1, 6, 8, 10], "p2": [2, 5, 12, 14], "p3": [3, 4, 7, 9, 11, 13]}
""")

# The receipt takes the larger of the two, and adds nothing.
answers.wrong("without the step", reason="the step of 1 is missing").code("""
    answer = {"p1": [1, 2, 2, 3], "p2": [1, 2, 4, 5], "p3": [1, 2, 3, 3, 4, 4]}
""")

# Words for numbers.
answers.wrong("words", reason="The stamp of p1.1 is 'one'").code("""
    answer = {"p1": ["one", "two", "three", "four"], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 6]}
""")
