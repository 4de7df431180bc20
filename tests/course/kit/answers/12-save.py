"""Answers to the gap 12-save."""

from tests.course.answers import Answers

answers = Answers("12-save", "from exactly_once.spark import append")

answers.right("the id first, in one transaction").code("""
    def answer(rows, batch_id, database):
        if not database.execute("SELECT 1 FROM batches WHERE batch = ?", [batch_id]).fetchone():
            database.execute("INSERT INTO batches VALUES (?)", [batch_id])
            append(rows, batch_id, database)
            database.commit()
""")

answers.right("looks for the batch among the rows").code("""
    def answer(rows, batch_id, database):
        if not database.execute("SELECT 1 FROM averages WHERE batch = ?", [batch_id]).fetchone():
            append(rows, batch_id, database)
""")

answers.right("the newest id").code("""
    def answer(rows, batch_id, database):
        newest = database.execute("SELECT max(batch) FROM batches").fetchone()[0]
        if newest is None or newest < batch_id:
            for row in rows:
                database.execute("INSERT INTO averages VALUES (?, ?, ?)", [row.hour, row.average, batch_id])
            count = sum(row.readings > 4 for row in rows)
            database.execute("UPDATE counter SET windows = windows + ?", [count])
            database.execute("INSERT INTO batches VALUES (?)", [batch_id])
""")

answers.wrong("appends", reason="it should hold [(1, 20.5), ('counter', 1)]").code("""
    def answer(rows, batch_id, database):
        append(rows, batch_id, database)
""")

answers.wrong("commits the id first", reason="holds [('counter', 0)]; it should hold").code("""
    def answer(rows, batch_id, database):
        if not database.execute("SELECT 1 FROM batches WHERE batch = ?", [batch_id]).fetchone():
            database.execute("INSERT INTO batches VALUES (?)", [batch_id])
            database.commit()
            append(rows, batch_id, database)
""")

answers.wrong("commits the rows first", reason="holds [(1, 20.5), (1, 20.5)").code("""
    def answer(rows, batch_id, database):
        if not database.execute("SELECT 1 FROM batches WHERE batch = ?", [batch_id]).fetchone():
            append(rows, batch_id, database)
            database.commit()
            database.execute("INSERT INTO batches VALUES (?)", [batch_id])
""")

answers.wrong("compares hours", reason="Even when nothing goes wrong").code("""
    def answer(rows, batch_id, database):
        there = {hour for (hour,) in database.execute("SELECT hour FROM averages").fetchall()}
        append([row for row in rows if row.hour not in there], batch_id, database)
""")

answers.wrong("remembers ids in the process", reason="holds [(1, 20.5), (1, 20.5)").code("""
    seen = set()


    def answer(rows, batch_id, database):
        if batch_id not in seen:
            seen.add(batch_id)
            append(rows, batch_id, database)
""")

answers.wrong("skips batch 0", reason="holds [('counter', 0)]").code("""
    def answer(rows, batch_id, database):
        if batch_id and not database.execute("SELECT 1 FROM batches WHERE batch = ?", [batch_id]).fetchone():
            append(rows, batch_id, database)
            database.execute("INSERT INTO batches VALUES (?)", [batch_id])
""")

answers.wrong("ignores a known id, and appends", reason="holds [(1, 20.5), (1, 20.5)").code("""
    def answer(rows, batch_id, database):
        database.execute("INSERT OR IGNORE INTO batches VALUES (?)", [batch_id])
        append(rows, batch_id, database)
""")

answers.wrong("rolls back", reason="holds [('counter', 0)]").code("""
    def answer(rows, batch_id, database):
        append(rows, batch_id, database)
        database.rollback()
""")
