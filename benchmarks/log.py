"""How fast the log on SQLite is, beside a plain file and beside bare rows of SQLite, in one process and one run.

1 KB records in batches of 100; the three take turns, so that whatever else the machine does falls on all of them. All
hand each batch to the operating system before the next one begins, and ask for no more: what was written survives the
SIGKILL of the process, and may not survive a power cut or a crash of the operating system. The promises: append and
read at 0.4 of the plain file's speed and 0.5 of the bare rows', through the public API with all the broker's rules.
"""

import os
import shutil
import sqlite3
import statistics
import sys
import time
import zlib

from exactly_once.log import Producer, open_log
from exactly_once.log.storage.sqlite_disk import SQLiteDisk
from exactly_once.paths import temporary

BATCH, SIZE, TURN, TURNS = 100, 1000, 20, 120  # records, bytes, batches a turn, turns
FETCH = 10 * BATCH  # records asked for at a time
FETCH_BYTES = FETCH * (SIZE + 20)
VALUES = [os.urandom(SIZE) for _ in range(BATCH)]
PLAIN, WHOLE, ROWS, LOG = "plain file", "plain file, checked", "bare SQLite rows", "the log"
PROMISED = {PLAIN: 0.4, ROWS: 0.5}


class PlainFile:
    """Records one after the other, each behind its length; flushed after each batch."""

    def __init__(self, folder):
        self.path = folder / "plain"
        self.file, self.reader, self.offset = self.path.open("wb"), None, 0

    def append(self):
        """Write a batch."""
        write = self.file.write
        for value in VALUES:
            write(len(value).to_bytes(4, "little"))
            write(value)
        self.file.flush()

    def read(self):
        """Return the next records with their offsets."""
        self.reader = self.reader or self.path.open("rb")
        read, start = self.reader.read, self.offset
        self.offset += FETCH
        return [(offset, read(int.from_bytes(read(4), "little"))) for offset in range(start, self.offset)]


class CheckedFile(PlainFile):
    """The best that a plain file can do with a checksum: a batch is one write, and one read."""

    def __init__(self, folder):
        self.path = folder / "checked"
        self.file, self.reader, self.offset = self.path.open("wb", buffering=0), None, 0

    def append(self):
        """Write a batch behind its checksum."""
        body = b"".join([len(value).to_bytes(4, "little") + value for value in VALUES])
        self.file.write(zlib.crc32(body).to_bytes(4, "little") + body)

    def read(self):
        """Return the next records with their offsets."""
        self.reader = self.reader or self.path.open("rb", buffering=0)
        step, found = 4 + SIZE, []
        for start in range(self.offset, self.offset + FETCH, BATCH):
            batch = self.reader.read(4 + BATCH * step)
            if zlib.crc32(batch[4:]).to_bytes(4, "little") != batch[:4]:
                raise SystemExit("The checked file is damaged.")
            found += [(start + n, batch[8 + n * step : 4 + (n + 1) * step]) for n in range(BATCH)]
        self.offset += FETCH
        return found


class BareRows:
    """A table with a row a record and nothing else; the same settings of SQLite, and a transaction a batch."""

    def __init__(self, folder):
        self.connection = sqlite3.connect(folder / "rows.sqlite", isolation_level=None)
        for setting in (
            f"page_size = {SQLiteDisk.PAGE_BYTES}",
            "journal_mode = WAL",
            "synchronous = OFF",
            f"wal_autocheckpoint = {SQLiteDisk.CHECKPOINT_PAGES}",
        ):
            self.connection.execute(f"PRAGMA {setting}")
        self.connection.execute("CREATE TABLE records (offset INTEGER PRIMARY KEY, value BLOB NOT NULL)")
        self.end = self.offset = 0

    def append(self):
        """Write a batch."""
        self.connection.execute("BEGIN IMMEDIATE")
        self.connection.executemany("INSERT INTO records VALUES (?, ?)", enumerate(VALUES, self.end))
        self.connection.execute("COMMIT")
        self.end += BATCH

    def read(self):
        """Return the next records with their offsets."""
        start, self.offset = self.offset, self.offset + FETCH
        query = "SELECT offset, value FROM records WHERE offset >= ? AND offset < ? ORDER BY offset"
        return self.connection.execute(query, (start, self.offset)).fetchall()


class TheLog:
    """The log's public API: an idempotent producer with acks="all", and fetches by offset."""

    def __init__(self, folder):
        self.log = open_log(f"sqlite:{folder / 'log'}")
        self.log.create_topic("measured")
        self.producer, self.offset = Producer(self.log, idempotent=True), 0

    def append(self):
        """Send a batch."""
        self.producer.send_batch("measured", VALUES, 0)

    def read(self):
        """Return the next records."""
        found = self.log.fetch("measured", 0, self.offset, max_bytes=FETCH_BYTES)
        self.offset = found.next
        return found


def turns(ways, what, times):
    """Let all ways do something so many times, in turns. Returns the seconds of each turn, by way."""
    seconds = {name: [] for name in ways}
    for _ in range(TURNS):
        for name, way in ways.items():
            work, started = getattr(way, what), time.perf_counter()
            for _ in range(times):
                work()
            seconds[name].append(time.perf_counter() - started)
    return seconds


def report(what, seconds):
    """Print a line for each way; return whether the promises were kept."""
    median = {name: statistics.median(found) for name, found in seconds.items()}
    kept = True
    for name, found in median.items():
        rate = BATCH * TURN / found
        line = f"{what:7}{name:22}{rate:11,.0f} records/s {rate * SIZE / 1e6:7.0f} MB/s"
        if name != LOG:
            ratio, promised = found / median[LOG], PROMISED.get(name)
            line += f"   the log has {ratio:.2f} of it"
            if promised:
                line += f", promised {promised}: {'kept' if ratio >= promised else 'MISSED'}"
                kept &= ratio >= promised
        print(line, flush=True)
    return kept


def main():
    """Write, read, and print the table. Returns 1 when a promise was missed."""
    folder = temporary("benchmarks", f"log-{os.getpid()}")
    try:
        ways = {PLAIN: PlainFile(folder), WHOLE: CheckedFile(folder), ROWS: BareRows(folder), LOG: TheLog(folder)}
        kept = report("append", turns(ways, "append", TURN))
        kept &= report("read", turns(ways, "read", BATCH * TURN // FETCH))
        ends = {name: way.offset for name, way in ways.items()}
        if set(ends.values()) != {BATCH * TURN * TURNS}:
            raise SystemExit(f"They have not read the same: {ends}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("It survives the SIGKILL of the process. A power cut or a crash of the operating system may cost the last")
    print("batches, and the file.")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
