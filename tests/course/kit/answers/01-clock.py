"""Answers to the gap 01-clock."""

from tests.course.answers import Answers

answers = Answers("01-clock")

answers.right("by counting").code("""
    import itertools


    class Other:
        def __init__(self):
            self.numbers = itertools.count(1)
            self.seen = 0

        def tick(self):
            self.seen = next(self.numbers)
            return self.seen

        def receive(self, stamp):
            if stamp > self.seen:
                self.numbers = itertools.count(stamp + 1)
            return self.tick()


    answer = Other
""")

answers.wrong(
    "adds",
    ("self.time = max(self.time, stamp) + 1", "self.time += stamp + 1"),
    reason="1 more than the larger of the two",
)

answers.wrong(
    "takes the messages",
    ("self.time = max(self.time, stamp) + 1", "self.time = stamp + 1"),
    reason="would go back, or stand still",
)

answers.wrong(
    "without the step", ("(self.time, stamp) + 1", "(self.time, stamp)"), reason="would go back, or stand still"
)

# Plausible: the clock is right, and nobody gets the stamp.
answers.wrong("returns nothing", reason="receive returns nothing").diff("""
             self.time = max(self.time, stamp) + 1
    -        return self.time
""")

answers.wrong("a text", reason="no whole number").diff("""
             self.time = max(self.time, stamp) + 1
    -        return self.time
    +        return str(self.time)
""")

answers.wrong("does not keep it", reason="receive must also set self.time").diff("""
    -        self.time = max(self.time, stamp) + 1
    -        return self.time
    +        return max(self.time, stamp) + 1
""")

answers.wrong("ignores the message", reason="larger stamp than its send").diff("""
    -        self.time = max(self.time, stamp) + 1
    -        return self.time
    +        return self.tick()
""")

answers.wrong("an instance", reason="give the class Clock itself").code("""
    answer = 5
""")
