"""Answers to the exercise 01b."""

from tests.course.answers import Answers

answers = Answers("01b")

# The disk is the clock.
answers.right("keeps nothing in memory").code("""
    class Clock:
        def __init__(self, disk):
            self.disk = disk

        def tick(self):
            return self.receive(0)

        def receive(self, stamp):
            time = max(self.disk.load(), stamp) + 1
            self.disk.save(time)
            return time


    answer = Clock
""")

# Saves a limit ten ahead of the stamps, and begins a new life there: one save for many stamps.
answers.right("saves a limit ahead").code("""
    class Clock:
        def __init__(self, disk):
            self.disk = disk
            self.time = self.limit = disk.load()

        def tick(self):
            return self.receive(0)

        def receive(self, stamp):
            self.time = max(self.time, stamp) + 1
            if self.time > self.limit:
                self.limit = self.time + 10
                self.disk.save(self.limit)
            return self.time


    answer = Clock
""")

# Each new time goes to the disk before it goes out.
answers.right("saves each time").code("""
    class Clock:
        def __init__(self, disk):
            self.disk, self.time = disk, disk.load()

        def tick(self):
            self.time += 1
            self.disk.save(self.time)
            return self.time

        def receive(self, stamp):
            self.time = max(self.time, stamp)
            return self.tick()


    answer = Clock
""")

# Only the number of the life is saved: each begins a million further on.
answers.right("numbers its incarnations", of="the chapters clock").diff("""
    -        self.time = 0
    +        incarnation = disk.load() + 1
    +        disk.save(incarnation)
    +        self.time = incarnation * 1_000_000
""")

# Forgets the jump of a receipt. Plausible: right as long as nothing crashes, and for sends.
answers.plausible(
    "receipts are not saved",
    ("(self.time, stamp)", "(self.time, stamp) + 1"),
    ("return self.tick()", "return self.time"),
    of="saves each time",
    reason="the stamps go back: after 1001, a send gets 2",
)

# Keeps the time in the class, which dies with the process as well. Plausible: right as long as nothing crashes.
answers.plausible("keeps it in the class", of="saves before it adds", reason="is given twice").diff("""
    +    time = 0
    +
         def __init__(self, disk):
    -        self.disk, self.time = disk, disk.load()
    +        self.time = max(type(self).time, disk.load())
    @@
    -        self.disk.save(self.time)
    -        self.time = max(self.time, stamp) + 1
    +        self.time = type(self).time = max(self.time, stamp) + 1
""")

# Saves the time of the event before. Plausible: right as long as nothing crashes.
answers.plausible("saves before it adds", reason="is given twice").code("""
    class Clock:
        def __init__(self, disk):
            self.disk, self.time = disk, disk.load()

        def tick(self):
            return self.receive(0)

        def receive(self, stamp):
            self.disk.save(self.time)
            self.time = max(self.time, stamp) + 1
            return self.time


    answer = Clock
""")

# Starts from 0 in every life. Plausible: right as long as nothing crashes.
answers.plausible("the chapters clock", reason="One crash: after this schedule").code("""
    class Clock:
        def __init__(self, disk):
            self.time = 0

        def tick(self):
            self.time += 1
            return self.time

        def receive(self, stamp):
            self.time = max(self.time, stamp) + 1
            return self.time


    answer = Clock
""")

# Saves a limit ahead, begins a new life there, and counts on ten more that are not saved: enough for one crash.
answers.wrong(
    "does not save its new limit",
    ("self.disk = disk", "self.disk, self.time = disk, disk.load()"),
    ("time = self.limit = disk.load()", "limit = self.time + 10 if self.time else 0"),
    of="saves a limit ahead",
    reason="Two crashes: after this schedule",
)

# Saves a limit ahead, and begins a new life where the last limit was set, not at the limit.
answers.wrong(
    "goes on below its limit",
    ("self.disk = disk", "self.disk, self.limit = disk, disk.load()"),
    ("self.time = self.limit = disk.load()", "self.time = max(self.limit - 10, 0)"),
    of="saves a limit ahead",
    reason="One crash: after this schedule",
)

# Saves all, and asks for none of it.
answers.wrong(
    "never loads",
    ("class DurableClock:", "class Clock:"),
    ("disk, disk.load()", "disk, 0"),
    ("answer = DurableClock", "answer = Clock"),
    reason="is given twice",
)

# A stamp is a number.
answers.wrong(
    "returns text",
    ("class DurableClock:", "class Clock:"),
    ("return self.time", "return str(self.time)"),
    ("answer = DurableClock", "answer = Clock"),
    reason="Even when nothing goes wrong: after this schedule the stamp of a send is '1', which is no whole number",
)

# Saves at receipts only.
answers.wrong("sends are not saved", of="the chapters clock", reason="the stamp 1 is given twice").diff("""
    -        self.time = 0
    +        self.disk, self.time = disk, disk.load()
    @@
             self.time = max(self.time, stamp) + 1
    +        self.disk.save(self.time)
""")

# Takes the message's stamp whatever its own is.
answers.wrong(
    "without max",
    of="saves each time",
    reason="One crash: after this schedule the stamps go back: after 1002, a receive gets 1001",
).diff("""
    -        self.time = max(self.time, stamp)
    -        return self.tick()
    +        self.time = stamp + 1
    +        self.disk.save(self.time)
    +        return self.time
""")

answers.wrong("a limit that no stamp moves", reason="after 1002, a send gets 11").code("""
    class DurableClock:
        def __init__(self, disk):
            self.time = disk.load()
            disk.save(self.time + 10)

        def tick(self):
            return self.receive(0)

        def receive(self, stamp):
            self.time = max(self.time, stamp) + 1
            return self.time


    answer = DurableClock
""")
