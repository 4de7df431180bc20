"""Processes that append to a SQLite disk and read it, for tests that kill them, and the check of what they left."""

import os
import random
import signal
import time

from exactly_once.log.storage.records import Batch, pack
from exactly_once.log.storage.sqlite_disk import SQLiteDisk

REPLICA = "orders-0"


def batch(base, values):
    """Return a batch of values."""
    form, payload = pack([(None, value) for value in values])
    return Batch(base, len(values), 0, 0, 0, "plain", -1, -1, -1, -1, form, len(payload), payload)


def append(disk, values):
    """Append a batch at the end, as a broker does: read the end and write in one transaction."""
    with disk.transaction():
        base = disk.status(REPLICA)[1]
        disk.append(REPLICA, batch(base, values))
    return base


def write_for_ever(path, writer, told, done=0):
    """Append batches of many sizes until killed; tell through a pipe, after each, how many are in.

    A value is "writer number place-of-count", and filling.
    """
    disk, chance = SQLiteDisk(path), random.Random(writer + done)
    while True:
        count, size = chance.choice([1, 3, 30]), chance.choice([5, 300, 3000])
        append(disk, [f"{writer} {done} {place} {count} ".encode() + b"x" * size for place in range(count)])
        done += 1
        told.send(done)
        time.sleep(0.002)  # the log stays small enough to be read again and again


def read_for_ever(path, told):
    """Follow the log from its beginning until killed; end with status 1 when a batch is not whole."""
    disk, seen, end = SQLiteDisk(path), {}, 0
    while True:
        end = check_order(disk.batches(REPLICA, end), seen, end)
        told.send(True)
        time.sleep(0.002)


def check_order(batches, seen, end=0):
    """Check that batches are whole and offsets without gaps from `end` on. Returns the new end.

    `seen` counts the batches of each writer, and goes on from an earlier call.
    """
    for one in batches:
        assert one.base == end
        end = one.end
        tokens = [tuple(map(int, record.value.split(b" ")[:4])) for record in one.records()]
        writer, number = tokens[0][:2]
        assert tokens == [(writer, number, place, one.count) for place in range(one.count)]
        assert number == seen.get(writer, 0), "each writer's batches in its own order, none missing, none twice"
        seen[writer] = number + 1
    return end


def die_within(path):
    """Die by SIGKILL when a batch is written and its transaction has not ended."""
    disk = SQLiteDisk(path)
    with disk.transaction():
        disk.append(REPLICA, batch(disk.status(REPLICA)[1], [b"half" * 50_000] * 3))
        disk.put("kept", "half")
        os.kill(os.getpid(), signal.SIGKILL)
