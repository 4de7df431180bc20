"""The SQLite store under many writers at once, and under SIGKILL."""

import multiprocessing
import os
import random
import signal
import time

import pytest

from exactly_once.stores import Origin, SQLiteStore

SPAWN = multiprocessing.get_context("spawn")


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


def together(function, *arguments):
    """Run `function(path, process, …)` in four processes at once, and return their exit codes."""
    processes = [SPAWN.Process(target=function, args=one) for one in arguments]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return [process.exitcode for process in processes]


@pytest.mark.parametrize("transactions", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_four_processes_of_thousands_of_transactions(tmp_path, transactions):
    path = tmp_path / "engine.sqlite"
    codes = together(add_and_append, *((path, process, transactions) for process in range(4)))
    assert codes == [0, 0, 0, 0], "no process met 'database is locked'"
    store = SQLiteStore(path)
    assert store.look("sum", "table") == 4 * transactions // 2
    records = store.look("log", "log")
    assert len(records) == 4 * transactions // 2
    for process in range(4):
        assert [number for of, number in records if of == process] == list(range(1, transactions, 2)), (
            "in order, once"
        )
    store.close()
    assert check_whole(path) == 4 * transactions


def test_a_writer_killed_at_any_moment_never_half_writes(tmp_path):
    path, chance, seen = tmp_path / "engine.sqlite", random.Random(7), 0
    for life in range(20):
        writer = SPAWN.Process(target=write_for_ever, args=(path, life))
        writer.start()
        watcher = SQLiteStore(path)
        while not watcher.journal(seen):
            assert writer.is_alive()
        time.sleep(chance.uniform(0, 0.03))
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        watcher.close()
        now = check_whole(path)
        assert now > seen, "what was committed before the kill is there"
        seen = now
