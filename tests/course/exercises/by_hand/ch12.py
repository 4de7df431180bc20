# %% 12b remembers in the process → holds [(1, 20.5), (2, 21.0), (3, 18.0)]
newest = {}


def answer(rows, batch_id, database):
    for row in rows:
        if newest.get(row.hour, -1) <= batch_id:
            newest[row.hour] = batch_id
            values = [row.hour, row.average, batch_id]
            database.execute("INSERT OR REPLACE INTO averages VALUES (?, ?, ?)", values)

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

# %% 12-commit one list for all → there is no batch-0.json
import json


def answer(messages, batch_id, folder):
    with open(folder / "visible.json", "a") as visible:
        visible.write(json.dumps(messages))
