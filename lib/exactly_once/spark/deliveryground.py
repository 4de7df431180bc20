"""What a producer or a consumer stands on in a worker: the log, its place, its effects, each in files of its own.

The log is embedded: its broker's rules run in the process that appends, and its files outlive that process.
"""

import os
import sqlite3
import time
from collections import deque
from pathlib import Path

from ..errors import OutcomeUnknown
from ..log.opening import open_log
from ..log.records import Pair
from ..node import Reading
from .processes import kill_worker

TOPIC, GROUP = "readings", "effects"
PAUSE = 0.01  # s, between two looks at a log that has nothing new
AHEAD = 200  # records that one fetch brings
SENT = "sent"


def key_of(number, keys):
    """Return the key of a record: the keys take turns."""
    return f"sensor {(number - 1) % keys + 1}"


class Ground:
    """One life's hold on the files of a run, and the misfortunes that its plan has for it.

    That a misfortune has struck is noted in a file before it does, so that it strikes once in all lives. A lost request
    is never sent, a lost reply is dropped after the operation, a crash is a SIGKILL of this process: right after the
    operation, or before it has taken effect.
    """

    name = ""

    def __init__(self, folder, plan, records, keys):
        self.folder, self.records, self.keys = Path(folder), records, keys
        self.plan = {(fault.at, fault.kind, fault.item): place for place, fault in enumerate(plan.faults)}
        self.log = open_log(f"sqlite:{self.folder}", brokers=None)
        self.note(f"life-{self.name}-{len(list(self.folder.glob(f'life-{self.name}-*'))) + 1}")

    def note(self, name):
        """Make a file that tells later lives something. Returns whether it was not there yet."""
        try:
            os.close(os.open(self.folder / name, os.O_CREAT | os.O_EXCL))
            return True
        except FileExistsError:
            return False

    def strikes(self, name, kind, numbers):
        """Tell whether a misfortune strikes here, for the first time in all lives."""
        places = [self.plan[name, kind, number] for number in numbers if (name, kind, number) in self.plan]
        return any(self.note(f"struck-{self.name}-{place}") for place in places)

    def step(self, name, numbers, act):
        """Carry out one operation under whatever strikes here."""
        if not self.plan or name == "input.read":
            return act()
        if self.strikes(name, "crash before", numbers):
            self.die_before(name, act)
        if self.strikes(name, "lost request", numbers):
            raise OutcomeUnknown(f"No reply to {name}.")
        value = act()
        if self.strikes(name, "crash after", numbers):
            kill_worker()
        if self.strikes(name, "lost reply", numbers):
            raise OutcomeUnknown(f"No reply to {name}.")
        return value

    def die_before(self, name, act):
        """Die before an operation has taken effect."""
        kill_worker()

    def close(self):
        """Close the files of a life that ended in good order."""
        self.log.close()


class Sending(Ground):
    """The producer's: the records to send are the numbers from 1 on; its place is in a file of its own."""

    name = "producer"

    def __init__(self, folder, plan, records, keys):
        super().__init__(folder, plan, records, keys)
        self.place = database(self.folder / "producer.db", "CREATE TABLE IF NOT EXISTS place (id INTEGER, at INTEGER)")

    def has(self, offset):
        """Tell whether there is a record to send."""
        return offset < self.records

    def take(self, offset):
        """Return the record to send."""
        return Reading(offset + 1, key_of(offset + 1, self.keys), offset + 1)

    def load(self):
        """Return how many records are noted as sent."""
        found = self.place.execute("SELECT max(at) FROM place").fetchone()
        return found[0] or 0

    def save(self, offset):
        """Note how many records are sent."""
        self.place.execute("INSERT OR REPLACE INTO place (rowid, id, at) VALUES (1, 1, ?)", (offset,))

    def push(self, number):
        """Append a record to the log, and return its offset."""
        return self.log.append(TOPIC, 0, [Pair(key_of(number, self.keys), number)]).offset

    def die_before(self, name, act):
        """Die in the middle of an append, and the broker with it: the batch is written, and not yet committed."""
        written = []

        def watch(statement):
            if statement.startswith("INSERT"):
                written.append(statement)
            if written and statement == "COMMIT":
                kill_worker()

        if name == "output.push":
            self.log.disks[0].connection.set_trace_callback(watch)  # SQLite tells each statement before it is run
            act()
        super().die_before(name, act)

    def close(self):
        """Say that all is sent, and close the files."""
        self.note(SENT)
        self.place.close()
        super().close()


class Taking(Ground):
    """The consumer's: its inputs are the log, its place is a committed offset there, its effects a database."""

    name = "consumer"

    def __init__(self, folder, plan, records, keys):
        super().__init__(folder, plan, records, keys)
        self.effects = effects_of(self.folder)
        self.fetched, self.next = deque(), 0

    def has(self, offset):
        """Tell whether there is a record at an offset, once that is known."""
        if offset != self.next:
            self.fetched.clear()
            self.next = offset
        while not self.fetched:
            ended = (self.folder / SENT).exists()  # asked first: what was sent before that is seen by the fetch
            self.fetched.extend(self.log.fetch(TOPIC, 0, offset, max_records=AHEAD))
            if not self.fetched and ended:
                return False
            if not self.fetched:
                time.sleep(PAUSE)
        return True

    def take(self, offset):
        """Return the record at an offset."""
        record = self.fetched.popleft()
        self.next = offset + 1
        return Reading(record.value, record.key, record.value)

    def load(self):
        """Return the committed offset."""
        return self.log.committed_offset(GROUP, TOPIC, 0) or 0

    def save(self, offset):
        """Commit an offset."""
        self.log.commit(GROUP, {(TOPIC, 0): offset})

    def add(self, item):
        """Count a record under its key, in one transaction."""
        self._apply(item, "number = number + 1", 1)

    def look(self, key):
        """Return (version, number) of a key."""
        return self.effects.execute("SELECT version, number FROM held WHERE key = ?", (key,)).fetchone() or (0, 0)

    def put(self, item, key, version, value):
        """Write a record's number under its key if the version is as expected, in one transaction."""
        if self.look(key)[0] != version:
            return False
        self._apply(item, "number = excluded.number", value[0])
        return True

    def _apply(self, item, update, number):
        """Change what a key holds, and note beside it, out of the handler's sight, which record did it."""
        with_version = f"ON CONFLICT (key) DO UPDATE SET version = version + 1, {update}"
        self.effects.execute("BEGIN IMMEDIATE")
        self.effects.execute(f"INSERT INTO held VALUES (?, 1, ?) {with_version}", (item.stream, number))
        self.effects.execute("INSERT INTO effects (record, key) VALUES (?, ?)", (item.hour, item.stream))
        self.effects.execute("COMMIT")

    def close(self):
        """Close the files."""
        self.effects.close()
        super().close()


def effects_of(folder):
    """Return the database of the effects: what each key holds, and which record had an effect, in order."""
    return database(
        Path(folder) / "effects.db",
        "CREATE TABLE IF NOT EXISTS held (key TEXT PRIMARY KEY, version INTEGER, number INTEGER)",
        "CREATE TABLE IF NOT EXISTS effects (place INTEGER PRIMARY KEY, record INTEGER, key TEXT)",
    )


def database(path, *tables):
    """Return a connection to a database of its own, with these tables; what is committed survives a SIGKILL."""
    found = sqlite3.connect(path, isolation_level=None, timeout=30)
    found.execute("PRAGMA journal_mode = WAL")
    found.execute("PRAGMA synchronous = OFF")  # survives the death of a process; the power may not fail
    for table in tables:
        found.execute(table)
    return found
