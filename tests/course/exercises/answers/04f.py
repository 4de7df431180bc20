"""Answers to the exercise 04f."""

from tests.course.answers import Answers

given = """
    from exactly_once.pipeline import Window
"""
answers = Answers("04f", given)

# Counter first, then the output; the three that belong together as a list.
answers.right("state last in another order").code("""
    def answer(node):
        accounts, saved = node.store("accounts"), node.state.load()
        positions, window, count = saved if isinstance(saved, list) else [node.start, Window(), 0]
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            if len(window) > node.threshold:
                accounts.cas("counter", count, count + 1)
                count += 1
            node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
            node.state.save([positions, window, count])
""")

# Counts and notes the hour in one step of the system that has the counter.
answers.right("one transaction of the other system", of="reads and adds").diff("""
    -            accounts.cas("counter", version, (value or 0) + 1)
    +            noted = "cas", f"counted.{hour}", 0, True
    +            accounts.transact(noted, ("cas", "counter", version, (value or 0) + 1))
""")

# Fixes in a register which version the hour's count expects; whoever does it again finds it there.
answers.right("version fixed before", of="reads and adds").diff("""
    -            version, value = accounts.read("counter")
    -            accounts.cas("counter", version, (value or 0) + 1)
    +            version, _ = accounts.read("counter")
    +            node.registers.cas(f"version.{hour}", 0, version)
    +            _, version = node.registers.read(f"version.{hour}")
    +            accounts.cas("counter", version, version + 1)
""")

# Notes in a register that the hour is counted, then counts: a crash between the two loses one. Plausible: right
# when nothing goes wrong.
answers.plausible(
    "note before the count",
    ("threshold", 'threshold and node.registers.cas(f"counted.{hour}", 0, True)'),
    of="reads and adds",
    reason="One crash: after this schedule the counter is 1 and should be 2",
)

# Pushes only if the output is too short: right until a request arrives twice. Plausible: right under every kind of
# fault but the last two.
answers.plausible(
    "looks before it pushes",
    of="state last in another order",
    reason="One request that arrives twice: after this schedule the average of hour 1 is in the output twice",
).diff("""
             window.trim(node.duration)
    +        if len(node.output.read()) < items[0].hour:
    +            node.output.push(window.average())
    @@
    -        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
""")

# Counts only if the average was new, so that a crash between the two loses a count. Plausible: right when nothing
# goes wrong.
answers.plausible(
    "counts if it wrote the output",
    ("node.registers", "fresh = node.registers"),
    ("if len(window)", "if fresh and len(window)"),
    of="reads and adds",
    reason="One crash: after this schedule the counter is 1 and should be 2",
)

# Writes the count itself, which can be repeated, but not come late. Plausible: right under every kind of fault but
# the last.
answers.plausible(
    "writes the number",
    of="state last in another order",
    reason="One late request: after this schedule the counter is 1 and should be 2",
).diff("""
    +        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
             if len(window) > node.threshold:
    -            accounts.cas("counter", count, count + 1)
                 count += 1
    -        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
    +            accounts.write("counter", count)
""")

# Takes the hour for the number of the window: right for the first job, where every hour counts. Plausible: right
# for the first job, whatever strikes.
answers.plausible(
    "counts hours", of="state last in another order", reason="Even when nothing goes wrong, with Job(items=4"
).diff("""
    +        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
             if len(window) > node.threshold:
    -            accounts.cas("counter", count, count + 1)
    -            count += 1
    -        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
    +            count = items[0].hour
    +            accounts.cas("counter", count - 1, count)
""")

# Keeps count and window apart: between the two saves they disagree. Plausible: right when nothing goes wrong.
answers.plausible(
    "count in a register", of="reads and adds", reason="One crash: after this schedule the counter"
).diff("""
         positions, window = node.positions.load(), node.state.load()
    +    version, count = node.registers.read("count")
    +    count = count or 0
    @@
    -            version, value = accounts.read("counter")
    -            accounts.cas("counter", version, (value or 0) + 1)
    +            accounts.cas("counter", count, count + 1)
    +            count += 1
    +            node.registers.cas("count", version, count)
    +            version += 1
""")

# Reads the counter and writes one more: after a crash it finds its own effect. Plausible: right when nothing goes
# wrong.
answers.plausible("reads and adds", reason="One crash: after this schedule the counter is 3 and should be 2").code("""
    def answer(node):
        accounts = node.store("accounts")
        positions, window = node.positions.load(), node.state.load()
        while node.running():
            items, next_positions = node.read(positions)
            hour = items[0].hour
            newest = max((reading.hour for reading in window.readings), default=0)
            window.push([item for item in items if item.hour > newest])
            window.trim(node.duration)
            node.registers.cas(f"output.{hour - 1}", 0, window.average())
            if len(window) > node.threshold:
                version, value = accounts.read("counter")
                accounts.cas("counter", version, (value or 0) + 1)
            node.state.save(window)
            node.positions.save(next_positions)
            positions = next_positions
""")

# Saves before the effects: a crash in between loses them. Plausible: right when nothing goes wrong.
answers.plausible("saves first", reason="One crash: after this schedule the average of hour").code("""
    def answer(node):
        accounts, saved = node.store("accounts"), node.state.load()
        positions, window, count = saved if isinstance(saved, list) else [node.start, Window(), 0]
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            counts = len(window) > node.threshold
            node.state.save([positions, window, count + counts])
            node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
            if counts:
                accounts.cas("counter", count, count + 1)
                count += 1
""")

# Asks again when the outcome is unknown, with a fresh look at the counter, which may hold the first try. Plausible:
# right when nothing goes wrong, and under a crash or a lost request.
answers.plausible("tries again", reason="One lost reply: after this schedule the counter is 3").code("""
    from exactly_once.errors import OutcomeUnknown


    def answer(node):
        accounts, saved = node.store("accounts"), node.state.load()
        positions, window, count = saved if isinstance(saved, list) else [node.start, Window(), 0]
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
            if len(window) > node.threshold:
                try:
                    accounts.cas("counter", count, count + 1)
                except OutcomeUnknown:
                    version, value = accounts.read("counter")
                    accounts.cas("counter", version, (value or 0) + 1)
                count += 1
            node.state.save([positions, window, count])
""")

# Increments the counter of the chapter, in another system than the one that is asked for.
answers.wrong(
    "database of the chapter",
    of="reads and adds",
    reason="Even when nothing goes wrong: after this schedule the counter is 0",
).diff("""
    -    accounts = node.store("accounts")
    @@
    -            version, value = accounts.read("counter")
    -            accounts.cas("counter", version, (value or 0) + 1)
    +            node.database.increment()
""")
