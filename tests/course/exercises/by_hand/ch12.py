# %% 12b merges in Python
def answer(rows, batch_id, database):
    found = database.execute("SELECT * FROM averages").fetchall()
    held = {hour: (average, batch) for hour, average, batch in found}
    for row in rows:
        if held.get(row.hour, (0, -1))[1] < batch_id:
            held[row.hour] = (row.average, batch_id)
    database.execute("DELETE FROM averages")
    database.executemany("INSERT INTO averages VALUES (?, ?, ?)", [(hour, *rest) for hour, rest in held.items()])

# %% 12b remembers in the process → holds [(1, 20.5), (2, 21.0), (3, 18.0)]
newest = {}


def answer(rows, batch_id, database):
    for row in rows:
        if newest.get(row.hour, -1) <= batch_id:
            newest[row.hour] = batch_id
            values = [row.hour, row.average, batch_id]
            database.execute("INSERT OR REPLACE INTO averages VALUES (?, ?, ?)", values)

# %% 12d the counter is the sum of what is known
def answer(rows, batch_id, averages, counts):
    averages.execute("CREATE TABLE IF NOT EXISTS parts (batch INTEGER PRIMARY KEY, windows INTEGER)")
    if not averages.execute("SELECT 1 FROM parts WHERE batch = ?", [batch_id]).fetchone():
        averages.execute("INSERT INTO parts VALUES (?, ?)", [batch_id, sum(row.readings > 4 for row in rows)])
        averages.executemany("INSERT INTO averages VALUES (?, ?)", [row[:2] for row in rows])
    total = averages.execute("SELECT sum(windows) FROM parts").fetchone()[0]
    counts.execute("UPDATE counter SET windows = ?", [total])

# %% 12e rows in the messages
class Sink:
    def __init__(self, store):
        self.store = store

    def write(self, rows, partition, attempt):
        return rows

    def commit(self, messages, batch_id):
        name, manifest = self.store.unique(), f"manifest/{batch_id}"
        self.store.put(name, [row for rows in messages for row in rows])
        if not self.store.put_if_absent(manifest, [name]) and name not in self.store.get(manifest):
            self.store.delete(name)

    def abort(self, messages, batch_id):
        pass


answer = Sink

# %% 12e names by chance → Take names from store.unique()
import uuid


class Sink:
    def __init__(self, store):
        self.store = store

    def write(self, rows, partition, attempt):
        name = str(uuid.uuid4())
        self.store.put(name, rows)
        return name

    def commit(self, messages, batch_id):
        self.store.put_if_absent(f"manifest/{batch_id}", messages)

    def abort(self, messages, batch_id):
        pass


answer = Sink

# %% 12-commit links, and fails if it is there
import json
import os
import tempfile


def answer(messages, batch_id, folder):
    number, path = tempfile.mkstemp(dir=folder)
    with open(number, "w") as fresh:
        json.dump([name for name in messages if name], fresh)
    try:
        os.link(path, folder / f"batch-{batch_id}.json")
    except FileExistsError:
        pass
    os.remove(path)

# %% 12-commit one list for all → there is no batch-0.json
import json


def answer(messages, batch_id, folder):
    with open(folder / "visible.json", "a") as visible:
        visible.write(json.dumps(messages))
