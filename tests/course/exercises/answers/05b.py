"""Answers to the exercise 05b."""

from tests.course.answers import Answers

answers = Answers("05b")

# Holds early records until the gap is closed, and acknowledges them no sooner.
answers.right("holds what is early").code("""
    class Broker:
        def __init__(self):
            self.log, self.early = [], {}

        def receive(self, number, value):
            self.early[number] = value
            while len(self.log) in self.early:
                self.log.append(self.early[len(self.log)])
            return number < len(self.log)


    answer = Broker
""")

# Keeps the last number, and compares with that.
answers.right("numbers beside the values", of="writes everything").diff("""
     class Broker:
    +    last = -1
    +
    @@
    -        self.log.append(value)
    +        if number > self.last + 1:
    +            return False
    +        if number == self.last + 1:
    +            self.log += [value]
    +            self.last = number
""")

# Takes every larger number, as a Lamport clock does. Plausible: right as long as nothing is lost or late.
answers.plausible(
    "jumps like a clock",
    ("self.log, self.seen = [], set()", "self.log, self.last = [], -1"),
    ("if number not in self.seen:", "if number > self.last:"),
    ("self.seen.add(number)", "self.last = number"),
    of="remembers them all",
    reason="'milk' is in the log without 'tea'",
)

# Refuses records that are there already. Plausible: right where no answer is lost.
answers.plausible(
    "refuses duplicates", of="writes everything", reason="is refused although it is in the log"
).diff("""
         def receive(self, number, value):
    +        if number != len(self.log):
    +            return False
""")

# The set, as it was. Plausible: right for one record, and it doubles nothing.
answers.plausible("remembers them all", reason="is in the log without 'tea'").code("""
    class Broker:
        def __init__(self):
            self.log, self.seen = [], set()

        def receive(self, number, value):
            if number not in self.seen:
                self.seen.add(number)
                self.log.append(value)
            return True


    answer = Broker
""")

# Acknowledges early records, and drops them.
answers.wrong(
    "acknowledges what is early",
    ("return number < len(self.log)", "return True"),
    reason="is acknowledged, and its record is not in the log",
)

# Holds early records, and acknowledges them at once.
answers.wrong(
    "acknowledges what it holds",
    ("return number < len(self.log)", "return True"),
    of="holds what is early",
    reason="is acknowledged, and its record is not in the log",
)

# Recognises only the record that it wrote last.
answers.wrong(
    "by the last value",
    ("number == len(self.log)", "not self.log or self.log[-1] != value"),
    ("return number < len(self.log)", "return True"),
    reason="in the log",
)

# Returns nothing.
answers.wrong("says nothing", reason="return True or False").diff("""
    -        return number < len(self.log)
""")

# Raises for early records.
answers.wrong("fails on a gap", reason="fails with ValueError: a gap").diff("""
         def receive(self, number, value):
    +        if number > len(self.log):
    +            raise ValueError("a gap")
    @@
    -        return number < len(self.log)
    +        return True
""")

# Keeps the numbers in the class.
answers.wrong("a set for all brokers", reason="share something outside of themselves").code("""
    class Broker:
        seen = []

        def __init__(self):
            self.log = []

        def receive(self, number, value):
            if number == len(self.seen):
                self.seen.append(number)
                self.log.append(value)
            return number < len(self.seen)


    answer = Broker
""")

# Waits for number 1 first.
answers.wrong("from one", reason="Number 0 is acknowledged, and its record is not in the log").code("""
    class Broker:
        def __init__(self):
            self.log, self.next = [], 1

        def receive(self, number, value):
            if number == self.next:
                self.log.append(value)
                self.next += 1
            return number < self.next


    answer = Broker
""")

# Puts late records where they belong, and changes what readers have read.
answers.wrong("sorts its log", reason="is in the log without 'tea'").code("""
    class Broker:
        def __init__(self):
            self.numbers, self.log = [], []

        def receive(self, number, value):
            if number not in self.numbers:
                place = sum(other < number for other in self.numbers)
                self.numbers.insert(place, number)
                self.log.insert(place, value)
            return True


    answer = Broker
""")

# Writes each batch that arrives.
answers.wrong("writes everything", reason="is in the log twice").code("""
    class Broker:
        def __init__(self):
            self.log = []

        def receive(self, number, value):
            self.log.append(value)
            return True


    answer = Broker
""")

answers.wrong("goes by the value", reason="Number 3 is acknowledged").code("""
    class Broker:
        def __init__(self):
            self.log = []

        def receive(self, number, value):
            if number == len(self.log) and value not in self.log:
                self.log.append(value)
            return value in self.log


    answer = Broker
""")
