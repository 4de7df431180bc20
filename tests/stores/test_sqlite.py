"""The SQLite store under many writers at once, and under SIGKILL."""

import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from exactly_once.stores import Origin, SQLiteStore
from tests.stores import sqlite_writers
from tests.stores.sqlite_writers import check_whole

SPAWN = multiprocessing.get_context("spawn")


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
    codes = together(sqlite_writers.add_and_append, *((path, process, transactions) for process in range(4)))
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


def test_four_processes_that_add_by_cas_lose_nothing(tmp_path):
    path, additions = tmp_path / "engine.sqlite", 400
    barrier = SPAWN.Barrier(4)
    arguments = [(path, process, additions, barrier) for process in range(4)]
    assert together(sqlite_writers.add_by_cas, *arguments) == [0] * 4
    store = SQLiteStore(path)
    assert store.do("cell", "read").value == [4 * additions, 4 * additions], "each version is one addition"
    tried = [entry.value for entry in store.journal() if entry.verb == "cas"]
    assert [value for value in tried if value is not None] == list(range(1, 4 * additions + 1))
    assert tried.count(None) >= 3, "of four that had read the same version, three were refused"
    store.close()


def test_four_processes_open_a_new_store_at_once(tmp_path):
    path = tmp_path / "new.sqlite"
    assert together(sqlite_writers.open_and_close, *((path, 100) for _ in range(4))) == [0, 0, 0, 0]
    assert SQLiteStore(path).look("sum", "table") == 400


def test_a_writer_killed_at_any_moment_never_half_writes(tmp_path):
    path, chance, seen = tmp_path / "engine.sqlite", random.Random(7), 0
    for life in range(20):
        writer = SPAWN.Process(target=sqlite_writers.write_for_ever, args=(path, life))
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


def test_a_process_that_dies_within_a_transaction_leaves_nothing(tmp_path):
    path = tmp_path / "engine.sqlite"
    SQLiteStore(path).do("sum", "add", 1)
    inside = f"""
import os, signal
from exactly_once.stores import SQLiteStore
store = SQLiteStore({str(path)!r})
with store.transaction():
    store._put("table", "sum", 1)
    store._put("log", "log", ("half",))
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", inside], check=False).returncode == -signal.SIGKILL
    assert check_whole(path) == 1
    assert SQLiteStore(path).look("log", "log") == []


def test_a_transaction_that_raises_leaves_nothing(tmp_path):
    store = SQLiteStore(tmp_path / "engine.sqlite")

    def half_of_it():
        with store.transaction():
            store._put("log", "log", ("half",))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half_of_it()
    assert store.look("log", "log") == []
    store.do("log", "append", "whole")
    assert check_whole(store.path) == 1


def test_closing_and_opening_keeps_everything(tmp_path):
    store = SQLiteStore(tmp_path / "engine.sqlite")
    store.do("cell", "write", "kept", origin=Origin(1, 2, 3, 40, ((1, "seattle"),)))
    journal = store.journal()
    store.close()
    again = SQLiteStore(tmp_path / "engine.sqlite")
    assert again.journal() == journal
    assert (again.look("cell", "cell"), again.do("cell", "read").received) == ("kept", 43)


def test_a_name_is_given_or_that_of_the_file(tmp_path):
    assert SQLiteStore(tmp_path / "engine.sqlite").name == "engine"
    assert SQLiteStore(str(tmp_path / "x"), name="database").name == "database"


def test_no_connection_can_attach_another_file(tmp_path):
    SQLiteStore(tmp_path / "database").close()
    store = SQLiteStore(tmp_path / "engine")
    with pytest.raises(sqlite3.OperationalError, match="too many attached"):
        store.connection.execute("ATTACH ? AS other", (str(tmp_path / "database"),))
    for verb in (["write", 1], ["append", 1], ["add", 1], ["read"], ["cas", 1, 2], ["fetch", {"s": 0}, 1]):
        store.do("p", *verb)
    assert [name for _, name, _ in store.connection.execute("PRAGMA database_list")] == ["main"]
