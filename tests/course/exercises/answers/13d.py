"""Answers to the exercise 13d. The right ones go to the servers, where these are here."""

from tests.course.answers import Answers

TRANSACT = 'node.database.transact(("cas", "done", hour - 1, hour), ("add", "readings", len(window)))'
answers = Answers("13d", "from exactly_once import Window")

# The database first, and everything from one saved number: the window is read again.
answers.right("the database first").code("""
    def answer(node):
        saved = node.state.load()
        saved = saved if isinstance(saved, dict) else {"positions": node.start, "window": Window(), "hour": 0}
        positions, window, hour = saved["positions"], saved["window"], saved["hour"]
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.database.transact(("cas", "hours", hour, hour), ("add", "readings", len(window)))
            node.registers.cas(f"output.{hour}", 0, window.average())
            hour += 1
            node.state.save({"positions": positions, "window": window, "hour": hour})
""")

answers.right("another cell", ('"done"', '"index"'))

# Two requests in place of one. Plausible: right when nothing goes wrong.
answers.plausible(
    "added beside the cell",
    (TRANSACT, 'node.database.transact(("add", "readings", len(window)))'),
    reason='the table "readings" holds',
)

# Plausible: right when nothing goes wrong.
answers.plausible(
    "pushes",
    ('node.registers.cas(f"output.{hour - 1}", 0, window.average())', "node.output.push(window.average())"),
    reason="the output",
)

answers.wrong("saves first", reason="is missing from the output").code("""
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
            node.state.save({"positions": positions, "window": window})
            node.registers.cas(f"output.{hour - 1}", 0, window.average())
            node.database.transact(("cas", "done", hour - 1, hour), ("add", "readings", len(window)))
""")

answers.wrong("reads the version", reason='the table "readings" holds').code("""
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
            version, _ = node.database.read("done")
            node.database.transact(("cas", "done", version, hour), ("add", "readings", len(window)))
            node.state.save({"positions": positions, "window": window})
""")

answers.wrong(
    "counts items", ('"readings", len(window)', '"readings", len(items)'), reason='the table "readings" holds'
)
answers.wrong("no total", (TRANSACT, "pass"), reason='the table "readings" holds')
answers.wrong("one place too far", ("{hour - 1}", "{hour}"), reason="the average of hour 1")
answers.wrong(
    "forgets the window",
    (
        'node.state.save({"positions": positions, "window": window})',
        'node.state.save({"positions": positions, "window": Window()})',
    ),
    reason="at the place of hour 2",
)
