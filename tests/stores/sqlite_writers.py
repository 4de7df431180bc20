"""Processes that write to one SQLite store, for the tests that hurry or kill them, and the check of what they
left.
"""

import random

from exactly_once.stores import Origin, SQLiteStore


def add_and_append(path, process, transactions):
    """Carry out `transactions` operations, of which every second adds one and every second appends a record."""
    store = SQLiteStore(path)
    for number in range(transactions):
        origin = Origin(life=process, step=number, stamp=number)
        if number % 2:
            store.do("log", "append", [process, number], origin=origin)
        else:
            store.do("sum", "add", 1, origin=origin)
    store.close()


def write_for_ever(path, process):
    """Write cells, records and sums with values of many sizes until killed."""
    store = SQLiteStore(path)
    chance, number = random.Random(process), 0
    while True:
        number += 1
        origin = Origin(life=process, step=number, stamp=number)
        store.do("sum", "add", 1, origin=origin)
        store.do("log", "append", [number, "x" * chance.choice([1, 100, 20_000])], origin=origin)
        store.do("cell", "write", number, origin=origin)


def add_by_cas(path, process, additions, all_have_read):
    """Add one to a cell `additions` times by compare-and-swap, reading again whenever another was faster.

    Each process waits at the barrier `all_have_read` after its first reading, so that one of them is faster.
    """
    store = SQLiteStore(path)
    for number in range(additions):
        origin, written = Origin(life=process, step=number), False
        while not written:
            version, value = store.do("cell", "read", origin=origin).value
            if all_have_read is not None:
                all_have_read.wait()
                all_have_read = None
            written = store.do("cell", "cas", version, (value or 0) + 1, origin=origin).value
    store.close()


def open_and_close(path, times):
    """Open a store that may not exist yet, add one and close it, many times."""
    for _ in range(times):
        store = SQLiteStore(path)
        store.do("sum", "add", 1)
        store.close()


def check_whole(path):
    """Check that effect, stamp and journal agree in a store, and that SQLite finds its file in order."""
    store = SQLiteStore(path)
    assert store.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    journal = store.journal()
    adds = [entry for entry in journal if entry.verb == "add"]
    appends = [entry.value for entry in journal if entry.verb == "append"]
    writes = [entry.value for entry in journal if entry.verb == "write"]
    assert [entry.value for entry in adds] == list(range(1, len(adds) + 1))
    assert store.look("sum", "table") == len(adds)
    assert store.look("log", "log") == appends
    assert store.look("cell", "cell") == (writes[-1] if writes else None)
    assert store.do("cell", "read").value[0] == len(writes), "the version counts the writes"
    for part in ("sum", "log"):
        stamps = [stamp for entry in journal if entry.part == part for stamp in (entry.received, entry.sent)]
        assert stamps == sorted(set(stamps)), "stamps of a part only grow"
        assert store.do(part, "read").received == max(stamps, default=0) + 1, "the clock is where the journal ends"
    store.close()
    return len(journal)
