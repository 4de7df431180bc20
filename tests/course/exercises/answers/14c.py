"""Answers to the exercise 14c."""

from tests.course.answers import Answers

TRANSACT = 'node.database.transact(("cas", "done", hour - 1, hour), ("add", "readings", len(window)))'
answers = Answers("14c", "from exactly_once import Window")

# Nothing is saved: each incarnation begins anew, and repeats what is refused.
answers.right("begins anew").code("""
    def answer(node):
        positions, window = node.start, Window()
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            hour = items[0].hour
            node.registers.cas(f"output.{hour - 1}", 0, window.average())
            node.database.transact(("cas", "done", hour - 1, hour), ("add", "readings", len(window)))
""")

# Two operations a record: the transactions carry two hours.
answers.right("two hours at once").code("""
    def answer(node):
        engine = node.engine()
        engine.fence()
        positions, window = node.positions.load(), node.state.load()
        while node.running(positions):
            averages, held, first = [], 0, None
            while len(averages) < 2 and node.running(positions):
                items, positions = node.read(positions)
                window.push(items)
                window.trim(node.duration)
                averages.append(window.average())
                held += len(window)
                first = first or items[0].hour
            node.database.transact(("cas", "done", first // 2, first), ("add", "readings", held))
            engine.begin()
            for average in averages:
                engine.push(average)
            engine.save_state(window)
            engine.save_positions(positions)
            engine.commit()
""")

# The worked answer to 13d.
answers.plausible("four operations", reason="it takes 4 operations a record").code("""
    def answer(node):
        saved = node.state.load()
        known = isinstance(saved, dict)
        positions = saved["positions"] if known else node.start
        window = saved["window"] if known else Window()
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            hour = items[0].hour
            node.registers.cas(f"output.{hour - 1}", 0, window.average())
            node.database.transact(("cas", "done", hour - 1, hour), ("add", "readings", len(window)))
            node.state.save({"positions": positions, "window": window})
""")

# Three operations, and the database hears it twice.
answers.plausible(
    "added beside the cell",
    (TRANSACT, 'node.database.transact(("add", "readings", len(window)))'),
    reason='the table "readings" holds',
)

answers.plausible("the engine first", reason='the table "readings" holds').diff("""
    -        node.database.transact(("cas", "done", hour - 1, hour), ("add", "readings", len(window)))
             engine.begin()
             engine.push(window.average())
             engine.save_state(window)
             engine.save_positions(positions)
             engine.commit()
    +        node.database.transact(("cas", "done", hour - 1, hour), ("add", "readings", len(window)))
""")

answers.wrong("no total", (TRANSACT, "pass"), reason='the table "readings" holds')
answers.wrong("no state", ("engine.save_state(window)", "pass"), reason="at the place of hour 3")
answers.wrong(
    "looks whether it is done",
    (TRANSACT, f'if node.database.read("done")[0] < hour:\n            {TRANSACT}'),
    reason="it takes 4 operations a record",
)
answers.wrong("without a fence", ("engine.fence()", "pass"), reason="can be repeated for ever")
answers.wrong(
    "counts items", ('"readings", len(window)', '"readings", len(items)'), reason='the table "readings" holds'
)

answers.wrong(
    "nothing leaves the window", ("        window.trim(node.duration)\n", ""), reason="Even when nothing goes wrong"
)
