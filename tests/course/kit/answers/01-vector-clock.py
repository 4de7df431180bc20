"""Answers to the gap 01-vector-clock."""

from tests.course.answers import Answers

answers = Answers("01-vector-clock")

answers.right("a counter").code("""
    from collections import Counter


    class Own:
        def __init__(self, process):
            self.process, self.known = process, Counter()

        def tick(self):
            self.known[self.process] += 1
            return dict(self.known)

        def receive(self, stamp):
            self.known |= Counter(stamp)
            return self.tick()


    answer = Own
""")

answers.right("ticks first").diff("""
    -        for process, count in stamp.items():
    -            self.row[process] = max(self.row.get(process, 0), count)
    -        return self.tick()
    +        mine = self.tick()
    +        self.row = {name: max(mine.get(name, 0), stamp.get(name, 0)) for name in {*mine, *stamp}}
    +        return dict(self.row)
""")

answers.wrong(
    "adds up",
    ("max(self.row.get(process, 0), count)", "self.row.get(process, 0) + count"),
    reason="neither this clock nor the message knows",
)

answers.wrong("no event of its own", ("return self.tick()", "return dict(self.row)"), reason="is itself an event of")

answers.wrong("ignores the message", reason="it does not learn what the message knows").diff("""
    -        for process, count in stamp.items():
    -            self.row[process] = max(self.row.get(process, 0), count)
""")

answers.wrong("takes the row over", reason="the clock forgets what it knew").diff("""
    -        for process, count in stamp.items():
    -            self.row[process] = max(self.row.get(process, 0), count)
    +        self.row = dict(stamp)
""")

answers.wrong("updates", reason="the clock forgets").diff("""
    -        for process, count in stamp.items():
    -            self.row[process] = max(self.row.get(process, 0), count)
    +        # Plausible: for entries that both know, the message's may be the older one
    +        self.row.update(stamp)
""")

answers.wrong("as a lamport clock", reason="neither this clock nor the message knows").diff("""
         def receive(self, stamp):
    +        # Plausible: Lamport's rule, for the own entry
    @@
    -        return self.tick()
    +        self.row[self.process] = max(self.row.values()) + 1
    +        return dict(self.row)
""")

answers.wrong("hands out its own row", reason="the dictionary in which the clock goes on counting").diff("""
         def receive(self, stamp):
    +        # Plausible: right at the moment, and changed by the next event
    @@
    -        return self.tick()
    +        self.tick()
    +        return self.row
""")
