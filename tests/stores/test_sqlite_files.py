"""The SQLite store on files and disks that are not as they should be: a sentence each, and nothing is lost."""

import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import threading

import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.paths import ROOT
from exactly_once.stores import SQLiteStore
from tests.stores.sqlite_writers import check_whole


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
    SQLiteStore(path).connection.execute("DROP TABLE parts")
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
    monkeypatch.setattr("exactly_once.stores.file.PATIENCE_SECONDS", 0.2)
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
    """Run a function of this file in a process of its own, with a mount that nobody else sees and that ends with
    it.
    """
    if not shutil.which("unshare"):
        pytest.skip("mounting for one process alone needs Linux's unshare")
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    if subprocess.run([*alone, "mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount anything")
    code = (
        f"from pathlib import Path; from tests.stores.test_sqlite_files import *; {function}(Path({str(folder)!r}))"
    )
    script = f"{mount} && exec {shlex.quote(sys.executable)} -c {shlex.quote(code)}"
    script = script.replace("FOLDER", shlex.quote(str(folder)))
    done = subprocess.run([*alone, "sh", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
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


@pytest.mark.parametrize("path", [None, 5, "a\0b", ":memory:", "", b"bytes", ["a"], "\ud800.db"])
def test_what_names_no_file_is_refused(path):
    with pytest.raises(BadInput, match=r"The path of a store is .*; give the name of a file"):
        SQLiteStore(path)


def test_a_file_that_another_process_fills_at_this_moment_is_not_taken_for_a_foreign_one(tmp_path, monkeypatch):
    path = tmp_path / "engine.sqlite"
    sqlite3.connect(path).execute("PRAGMA journal_mode = WAL")  # the first half of what an opening process does
    connect, waiting = sqlite3.connect, [lambda: SQLiteStore(path).close()]

    def fill_between(statement):
        if "user_version" in statement and waiting:
            waiting.pop()()

    def looking(*args, **kwargs):
        connection = connect(*args, **kwargs)
        connection.set_trace_callback(fill_between)
        return connection

    monkeypatch.setattr("exactly_once.stores.file.sqlite3.connect", looking)
    store = SQLiteStore(path)
    assert not waiting
    assert store.do("sum", "add", 1).value == 1
