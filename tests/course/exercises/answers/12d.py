"""Answers to the exercise 12d."""

from tests.course.answers import Answers

answers = Answers("12d")

# Each database by itself, with its own commit.
answers.right("two steps").code("""
    def answer(rows, batch_id, averages, counts):
        values = [(row.hour, row.average) for row in rows]
        count = "UPDATE counter SET windows = windows + ?"
        steps = [(averages, "INSERT INTO averages VALUES (?, ?)", values),
                 (counts, count, [(sum(row.readings > 4 for row in rows),)])]
        for database, statement, given in steps:
            if database.execute("SELECT count(*) FROM batches WHERE batch = ?", [batch_id]).fetchone()[0] == 0:
                database.executemany(statement, given)
                database.execute("INSERT INTO batches VALUES (?)", [batch_id])
                database.commit()
""")

answers.right("the count first").code("""
    def answer(rows, batch_id, averages, counts):
        if not known(counts, batch_id):
            counts.execute("UPDATE counter SET windows = windows + ?", [sum(row.readings > 4 for row in rows)])
            counts.execute("INSERT INTO batches VALUES (?)", [batch_id])
            counts.commit()
        if not known(averages, batch_id):
            averages.executemany("INSERT INTO averages VALUES (?, ?)", [row[:2] for row in rows])
            averages.execute("INSERT INTO batches VALUES (?)", [batch_id])


    def known(database, batch_id):
        newest = database.execute("SELECT max(batch) FROM batches").fetchone()[0]
        return newest is not None and newest >= batch_id
""")

# Keeps the count of each batch in the first database, and sets the counter to their sum.
answers.right("the counter is the sum of what is known").code("""
    def answer(rows, batch_id, averages, counts):
        averages.execute("CREATE TABLE IF NOT EXISTS parts (batch INTEGER PRIMARY KEY, windows INTEGER)")
        if not averages.execute("SELECT 1 FROM parts WHERE batch = ?", [batch_id]).fetchone():
            averages.execute("INSERT INTO parts VALUES (?, ?)", [batch_id, sum(row.readings > 4 for row in rows)])
            averages.executemany("INSERT INTO averages VALUES (?, ?)", [row[:2] for row in rows])
        total = averages.execute("SELECT sum(windows) FROM parts").fetchone()[0]
        counts.execute("UPDATE counter SET windows = ?", [total])
""")

# Asks the first database for both. Plausible: it is committed first, and a replay of it is noticed.
answers.plausible("one speaks for the other", reason="'counts' holds").code("""
    def answer(rows, batch_id, averages, counts):
        if averages.execute("SELECT 1 FROM batches WHERE batch = ?", [batch_id]).fetchone():
            return
        averages.execute("INSERT INTO batches VALUES (?)", [batch_id])
        averages.executemany("INSERT INTO averages VALUES (?, ?)", [row[:2] for row in rows])
        counts.execute("UPDATE counter SET windows = windows + ?", [sum(row.readings > 4 for row in rows)])
""")

# Asks the second one for both. Plausible: what is committed last says that all is done.
answers.plausible("the last one speaks for both", reason="'averages' holds").code("""
    def answer(rows, batch_id, averages, counts):
        if counts.execute("SELECT 1 FROM batches WHERE batch = ?", [batch_id]).fetchone():
            return
        averages.executemany("INSERT INTO averages VALUES (?, ?)", [row[:2] for row in rows])
        counts.execute("UPDATE counter SET windows = windows + ?", [sum(row.readings > 4 for row in rows)])
        counts.execute("INSERT INTO batches VALUES (?)", [batch_id])
""")

answers.wrong("appends", reason="'averages' holds").code("""
    def answer(rows, batch_id, averages, counts):
        averages.executemany("INSERT INTO averages VALUES (?, ?)", [row[:2] for row in rows])
        counts.execute("UPDATE counter SET windows = windows + ?", [sum(row.readings > 4 for row in rows)])
""")

answers.wrong(
    "ids first",
    ("[batch_id])\n        return True", "[batch_id])\n        database.commit()\n        return True"),
    reason="'averages' holds []",
)

answers.wrong("compares rows", reason="'averages' holds").code("""
    def answer(rows, batch_id, averages, counts):
        for row in rows:
            averages.execute("INSERT INTO averages SELECT ?, ? WHERE ? NOT IN (SELECT hour FROM averages)",
                             [row.hour, row.average, row.hour])
        counts.execute("UPDATE counter SET windows = windows + ?", [sum(row.readings > 4 for row in rows)])
""")

answers.wrong("five are four", ("readings > 4", "readings > 5"), reason="'counts' holds [(0,)]")

answers.wrong("the newest id only", reason="[(1, 20.5), (1, 20.5), (2, 21.0), (2, 21.0), (3, 20.5)]").diff("""
    -        if database.execute("SELECT 1 FROM batches WHERE batch = ?", [batch_id]).fetchone():
    +        if [(batch_id,)] == database.execute("SELECT batch FROM batches ORDER BY rowid DESC LIMIT 1").fetchall():
""")

answers.wrong("no empty batch", reason="fails with IndexError").diff("""
    -    if first_time(averages):
    +    if rows[0] and first_time(averages):
""")

answers.wrong(
    "another table", ("INSERT INTO averages VALUES", "INSERT INTO hours VALUES"), reason="no such table: hours"
)
