"""Answers to the exercise 04c."""

from tests.course.answers import Answers

given = """
    from exactly_once.pipeline import Window
"""
answers = Answers("04c", given)

# Keeps no window: each life reads the last hours again.
answers.right("no state at all").code("""
    def answer(node):
        positions = node.positions.load()
        while node.running(positions):
            window = Window()
            at = {stream: max(0, offset + 1 - node.duration) for stream, offset in positions.items()}
            while at != {stream: offset + 1 for stream, offset in positions.items()}:
                items, at = node.read(at)
                window.push(items)
            node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
            if len(window) > node.threshold:
                node.database.increment()
            node.positions.save(at)
            positions = at
""")

# Uses the library's queue, and one cell for positions and window.
answers.right("queue of the library").code("""
    from exactly_once.lockfree.queue import Queue


    def answer(node):
        queue = Queue(node.registers, "output")
        saved = node.state.load()
        positions, window = saved if isinstance(saved, list) else (node.start, Window())
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            queue.push_at_idempotent(window.average(), max(item.hour for item in items) - 1)
            if len(window) > node.threshold:
                node.database.increment()
            node.state.save([positions, window])
""")

# Gives keys, and lets an hour into the window twice after a crash at D. Plausible: right when nothing goes wrong.
answers.plausible("key but a poisoned window", reason="is wrong").diff("""
    -        hour = items[0].hour
    -        newest = max((reading.hour for reading in window.readings), default=0)
    -        window.push([item for item in items if item.hour > newest])
    +        window.push(items)
             window.trim(node.duration)
    -        node.registers.cas(f"output.{hour - 1}", 0, window.average())
    +        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
""")

# Pushes as before. Plausible: right when nothing goes wrong.
answers.plausible("still an append", reason="is in the output more than once").diff("""
    -        hour = items[0].hour
    -        newest = max((reading.hour for reading in window.readings), default=0)
    -        window.push([item for item in items if item.hour > newest])
    +        window.push(items)
             window.trim(node.duration)
    -        node.registers.cas(f"output.{hour - 1}", 0, window.average())
    +        node.output.push(window.average())
""")

# Counts the places from 1, so that place 0 stays empty and nobody reads on.
answers.wrong("key from the hour itself", ("hour - 1", "hour"), reason="Even when nothing goes wrong")

# Drops the counter, since it would be doubled.
answers.wrong("counts nothing", reason="the counter 0").diff("""
    -        if len(window) > node.threshold:
    -            node.database.increment()
""")

# Counts only when its own write took place, so that a crash in between loses the increment.
answers.wrong("counts only what it wrote", reason="an increment is missing").diff("""
    -        node.registers.cas(f"output.{hour - 1}", 0, window.average())
    -        if len(window) > node.threshold:
    +        if node.registers.cas(f"output.{hour - 1}", 0, window.average()) and len(window) > node.threshold:
""")

# Looks for the next free place in place of a key: an append in another dress.
answers.wrong("next free place", reason="is in the output more than once").diff("""
         positions, window = node.positions.load(), node.state.load()
    +    place = 0
    @@
    -        hour = items[0].hour
    @@
    -        node.registers.cas(f"output.{hour - 1}", 0, window.average())
    +        while not node.registers.cas(f"output.{place}", 0, window.average()):
    +            place += 1
""")

# Remembers the pushes in a variable; the variable dies with the process.
answers.wrong("remembers outside the stores", reason="is in the output more than once").diff("""
    +pushed = set()
    +
    +
     def answer(node):
    @@
    -        node.registers.cas(f"output.{hour - 1}", 0, window.average())
    +        if hour not in pushed:
    +            node.output.push(window.average())
    +            pushed.add(hour)
""")

# Saves the positions first: nothing is doubled, and an average is never written.
answers.wrong("positions first", reason="is missing from the output").code("""
    def answer(node):
        positions, window = node.positions.load(), node.state.load()
        while node.running():
            items, next_positions = node.read(positions)
            hour = items[0].hour
            newest = max((reading.hour for reading in window.readings), default=0)
            window.push([item for item in items if item.hour > newest])
            window.trim(node.duration)
            node.state.save(window)
            node.positions.save(next_positions)
            node.registers.cas(f"output.{hour - 1}", 0, window.average())
            if len(window) > node.threshold:
                node.database.increment()
            positions = next_positions
""")

# Knows the window of one run.
answers.wrong("its own numbers", ("node.duration", "2"), reason="With a window of 3 hours")

# Makes sure of the increments of the process that died.
answers.wrong("counts until it is enough", reason="should be at most 6").diff("""
    positions, window = node.positions.load(), node.state.load()
+    for _ in range(5 if positions != node.start else 0):
+        node.database.increment()
""")
