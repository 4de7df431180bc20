"""The SQLite store under many writers, under SIGKILL, and on files and disks that are not as they should be."""

import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from exactly_once.errors import CourseError
from exactly_once.stores import Origin, SQLiteStore
from tests.core import sqlite_writers

SPAWN = multiprocessing.get_context("spawn")


def together(function, *arguments):
    """Run `function(path, process, …)` in four processes at once, and return their exit codes."""
    processes = [SPAWN.Process(target=function, args=one) for one in arguments]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return [process.exitcode for process in processes]


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


def test_four_processes_of_ten_thousand_transactions(tmp_path):
    path, transactions = tmp_path / "engine.sqlite", 10_000
    codes = together(sqlite_writers.add_and_append, *((path, process, transactions) for process in range(4)))
    assert codes == [0, 0, 0, 0], "no process met 'database is locked'"
    store = SQLiteStore(path)
    assert store.look("sum", "table") == 4 * transactions // 2
    records = store.look("log", "log")
    assert len(records) == 4 * transactions // 2
    for process in range(4):
        assert [number for of, number in records if of == process] == list(range(1, transactions, 2)), "in order, once"
    store.close()
    assert check_whole(path) == 4 * transactions


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
with store.transaction() as connection:
    store._add(connection, "sum", 1)
    store._append(connection, "log", "half")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", inside], check=False).returncode == -signal.SIGKILL
    assert check_whole(path) == 1
    assert SQLiteStore(path).look("log", "log") == []


def test_a_transaction_that_raises_leaves_nothing(tmp_path):
    store = SQLiteStore(tmp_path / "engine.sqlite")

    def half_of_it():
        with store.transaction() as connection:
            store._append(connection, "log", "half")
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


def refused(path, *said):
    """Check that opening or using a store fails with one sentence or two that name its file and say `said`."""
    with pytest.raises(CourseError) as told:
        SQLiteStore(path).do("sum", "add", 1)
    message = str(told.value)
    assert str(path) in message
    assert "\n" not in message
    assert message.endswith(".")
    for words in said:
        assert words in message


@pytest.mark.parametrize("mode", ["delete", "wal"])
@pytest.mark.parametrize("statement", ["CREATE TABLE theirs (x)", "PRAGMA application_id = 77"])
def test_a_file_of_another_program_is_refused_and_not_changed(tmp_path, mode, statement):
    path = tmp_path / "theirs.sqlite"
    theirs = sqlite3.connect(path)
    theirs.execute(f"PRAGMA journal_mode = {mode}")
    theirs.execute(statement)
    theirs.commit()
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir() if not one.name.endswith("-shm")}
    refused(path, "file of another program", "it was not changed", "Name a new file")
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir() if not one.name.endswith("-shm")} == before
    theirs.close()
    before = path.read_bytes()
    refused(path, "file of another program")
    assert path.read_bytes() == before


def test_what_a_killed_program_left_in_its_log_stays_there(tmp_path):
    theirs = sqlite3.connect(tmp_path / "theirs.sqlite")
    theirs.execute("PRAGMA journal_mode = wal")
    theirs.execute("CREATE TABLE theirs (x)")
    theirs.commit()
    after_the_kill = tmp_path / "copy"
    after_the_kill.mkdir()
    for name in ("theirs.sqlite", "theirs.sqlite-wal"):
        shutil.copy(tmp_path / name, after_the_kill)
    before = {one.name: one.read_bytes() for one in after_the_kill.iterdir()}
    refused(after_the_kill / "theirs.sqlite", "file of another program")
    assert {name: (after_the_kill / name).read_bytes() for name in before} == before
    theirs.close()


def test_a_file_that_is_no_database_is_refused_and_not_changed(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_bytes(b"not a database at all, though it is quite a long text\n" * 100)
    before = path.read_bytes()
    refused(path, "not a database", "name a new file")
    assert path.read_bytes() == before


def test_a_damaged_store_is_named(tmp_path):
    path = tmp_path / "engine.sqlite"
    store = SQLiteStore(path)
    for number in range(300):
        store.do("log", "append", "x" * number)
    store.close()
    with path.open("r+b") as file:  # everything but the first page, which holds the schema
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 4096))
    refused(path, "malformed", "delete it and run again")


def test_a_store_without_its_tables_is_named(tmp_path):
    path = tmp_path / "engine.sqlite"
    SQLiteStore(path).connection.execute("DROP TABLE counters")
    refused(path, "no such table", "delete it and run again")


def test_a_missing_folder_or_a_folder_is_named(tmp_path):
    refused(tmp_path / "nowhere" / "engine.sqlite", "unable to open", "its folder does not exist")
    refused(tmp_path, "unable to open", "It is a folder")


def test_a_store_used_by_another_thread_or_after_its_end_is_told_so(tmp_path):
    store, told = SQLiteStore(tmp_path / "engine.sqlite"), []

    def use():
        with pytest.raises(CourseError) as why:
            store.do("sum", "add", 1)
        told.append(str(why.value))

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert "Open the store again in the thread that uses it." in told[0]
    store.close()
    with pytest.raises(CourseError, match="Open the store again"):
        store.do("sum", "add", 1)


def test_a_store_that_another_process_holds_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("exactly_once.stores.sqlite.PATIENCE_SECONDS", 0.2)
    path = tmp_path / "engine.sqlite"
    SQLiteStore(path).close()
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    refused(path, "locked", "stop that process")
    holder.execute("ROLLBACK")
    SQLiteStore(path).do("sum", "add", 1)


def fill_up(store):
    """Append until the store is full. Returns how many records went in before."""
    for number in range(100_000):
        try:
            store.do("log", "append", [number, "x" * 2_000])
        except CourseError as why:
            told = why
            break
    assert "full" in str(told)
    assert "free some space and run again; what was committed is safe" in str(told)
    return number


def test_a_full_disk_loses_nothing_and_goes_on_when_there_is_space(tmp_path):
    store = SQLiteStore(tmp_path / "engine.sqlite")
    store.connection.execute("PRAGMA max_page_count = 60")
    count = fill_up(store)
    assert count > 10
    assert check_whole(store.path) == count
    store.connection.execute("PRAGMA max_page_count = 1000000")
    store.do("log", "append", "goes on")
    assert check_whole(store.path) == count + 1 + 3, "three reads by the first check, one record by us"


def confined(mount, folder, function):
    """Run a function of this file in a process of its own, with a mount that nobody else sees and that ends with it."""
    if not shutil.which("unshare"):
        pytest.skip("mounting for one process alone needs Linux's unshare")
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    if subprocess.run([*alone, "mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount anything")
    code = (
        f"from tests.core import test_sqlite; from pathlib import Path; test_sqlite.{function}(Path({str(folder)!r}))"
    )
    script = f"{mount} && exec {sys.executable} -c {code!r}".replace("FOLDER", str(folder))
    done = subprocess.run([*alone, "sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def on_a_full_disk(folder):
    store = SQLiteStore(folder / "engine.sqlite")
    count = fill_up(store)
    assert count > 10
    assert store.look("log", "log") == [[number, "x" * 2_000] for number in range(count)]
    assert len(store.journal()) == count
    with pytest.raises(CourseError, match=r"full|unable to open|I/O"):
        SQLiteStore(folder / "another.sqlite")


def test_a_disk_that_is_really_full(tmp_path):
    confined("mount -t tmpfs -o size=600k tmpfs FOLDER", tmp_path, "on_a_full_disk")


def on_a_read_only_disk(folder):
    refused(folder / "engine.sqlite", "in a folder that you may write")
    refused(folder / "new.sqlite", "in a folder that you may write")


def test_a_read_only_disk(tmp_path):
    store = SQLiteStore(tmp_path / "engine.sqlite")
    store.do("sum", "add", 1)
    store.close()
    before = (tmp_path / "engine.sqlite").read_bytes()
    confined("mount --bind FOLDER FOLDER && mount -o remount,ro,bind FOLDER", tmp_path, "on_a_read_only_disk")
    assert (tmp_path / "engine.sqlite").read_bytes() == before
    assert check_whole(tmp_path / "engine.sqlite") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere; the read-only mount tests the same")
def test_a_folder_without_the_right_to_write(tmp_path):
    SQLiteStore(tmp_path / "engine.sqlite").close()
    tmp_path.chmod(0o555)
    try:
        on_a_read_only_disk(tmp_path)
    finally:
        tmp_path.chmod(0o755)
