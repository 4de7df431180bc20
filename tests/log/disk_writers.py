"""Appends to a SQLite disk, and a process that dies in the middle of one."""

import os
import signal

from exactly_once.log import Batch, SQLiteDisk, pack

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


def die_within(path):
    """Die by SIGKILL when a batch is written and its transaction has not ended."""
    disk = SQLiteDisk(path)
    with disk.transaction():
        disk.append(REPLICA, batch(disk.status(REPLICA)[1], [b"half" * 50_000] * 3))
        disk.put("kept", "half")
        os.kill(os.getpid(), signal.SIGKILL)
