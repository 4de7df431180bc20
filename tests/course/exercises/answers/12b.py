"""Answers to the exercise 12b."""

from tests.course.answers import Answers

answers = Answers("12b")

# Deletes what is older, and inserts what is missing then.
answers.right("deletes what is older").code("""
    def answer(rows, batch_id, database):
        for row in rows:
            database.execute("DELETE FROM averages WHERE hour = ? AND batch < ?", [row.hour, batch_id])
            database.execute("INSERT OR IGNORE INTO averages VALUES (?, ?, ?)", [row.hour, row.average, batch_id])
""")

# Keeps the newest batch's id in a table of its own, and skips all that is not newer.
answers.right("skips what is not newer").code("""
    def answer(rows, batch_id, database):
        database.execute("CREATE TABLE IF NOT EXISTS done (batch INTEGER)")
        newest = database.execute("SELECT max(batch) FROM done").fetchone()[0]
        if newest is None or batch_id > newest:
            values = [(row.hour, row.average, batch_id) for row in rows]
            database.executemany("INSERT OR REPLACE INTO averages VALUES (?, ?, ?)", values)
            database.execute("INSERT INTO done VALUES (?)", [batch_id])
            database.commit()
""")

# Reads the whole table, merges in Python, and writes it anew.
answers.right("merges in Python").code("""
    def answer(rows, batch_id, database):
        found = database.execute("SELECT * FROM averages").fetchall()
        held = {hour: (average, batch) for hour, average, batch in found}
        for row in rows:
            if held.get(row.hour, (0, -1))[1] < batch_id:
                held[row.hour] = (row.average, batch_id)
        database.execute("DELETE FROM averages")
        database.executemany("INSERT INTO averages VALUES (?, ?, ?)", [(hour, *rest) for hour, rest in held.items()])
""")

# Overwrites. Plausible: a replay leaves no trace; an old driver does.
answers.plausible("overwrites", reason="holds [(1, 20.5), (2, 21.0), (3, 18.0)]").code("""
    def answer(rows, batch_id, database):
        values = [(row.hour, row.average, batch_id) for row in rows]
        database.executemany("INSERT OR REPLACE INTO averages VALUES (?, ?, ?)", values)
""")

# Leaves an hour alone that is there. Plausible: a replay changes nothing, and neither does a correction.
answers.plausible("the first one stays", reason="it should hold [(1, 20.5), (2, 19.5), (3, 18.0)]").code("""
    def answer(rows, batch_id, database):
        for row in rows:
            database.execute("INSERT OR IGNORE INTO averages VALUES (?, ?, ?)", [row.hour, row.average, batch_id])
""")

answers.wrong("inserts", reason="UNIQUE constraint failed").code("""
    def answer(rows, batch_id, database):
        for row in rows:
            database.execute("INSERT INTO averages VALUES (?, ?, ?)", [row.hour, row.average, batch_id])
""")

answers.wrong("commits each row", reason="holds [(1, 20.5)]; it should hold [] or").code("""
    def answer(rows, batch_id, database):
        for row in rows:
            database.execute("INSERT OR REPLACE INTO averages VALUES (?, ?, ?)", [row.hour, row.average, batch_id])
            database.commit()
""")

answers.wrong("the higher average wins", reason="(2, 21.0)").code("""
    def answer(rows, batch_id, database):
        for row in rows:
            database.execute(
                "INSERT INTO averages VALUES (?, ?, ?) ON CONFLICT (hour) DO UPDATE "
                "SET average = max(average, excluded.average)", [row.hour, row.average, batch_id]
            )
""")

answers.wrong("marks the batch first", reason="holds []; it should hold [(1, 20.5), (2, 21.0)]").code("""
    def answer(rows, batch_id, database):
        database.execute("CREATE TABLE IF NOT EXISTS done (batch INTEGER)")
        if not database.execute("SELECT 1 FROM done WHERE batch = ?", [batch_id]).fetchone():
            database.execute("INSERT INTO done VALUES (?)", [batch_id])
            database.commit()
            values = [(row.hour, row.average, batch_id) for row in rows]
            database.executemany("INSERT OR REPLACE INTO averages VALUES (?, ?, ?)", values)
""")

answers.wrong("rolls back", reason="holds []").code("""
    def answer(rows, batch_id, database):
        values = [(row.hour, row.average, batch_id) for row in rows]
        database.executemany("INSERT OR REPLACE INTO averages VALUES (?, ?, ?)", values)
        database.rollback()
""")

answers.wrong("fails for an empty batch", reason="fails with IndexError").code("""
    def answer(rows, batch_id, database):
        rows[0]
        for row in rows:
            database.execute("DELETE FROM averages WHERE hour = ? AND batch < ?", [row.hour, batch_id])
            database.execute("INSERT OR IGNORE INTO averages VALUES (?, ?, ?)", [row.hour, row.average, batch_id])
""")

# A process that is started again knows nothing of it.
answers.wrong("remembers in the process", reason="holds [(1, 20.5), (2, 21.0), (3, 18.0)]").code("""
    newest = {}


    def answer(rows, batch_id, database):
        for row in rows:
            if newest.get(row.hour, -1) <= batch_id:
                newest[row.hour] = batch_id
                values = [row.hour, row.average, batch_id]
                database.execute("INSERT OR REPLACE INTO averages VALUES (?, ?, ?)", values)
""")
