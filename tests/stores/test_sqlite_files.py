"""The SQLite store on files and disks that are not as they should be: a sentence each, and nothing is lost."""

import itertools
import os
import sqlite3
import threading

import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.stores import SQLiteStore
from tests.stores.test_sqlite import check_whole


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


@pytest.mark.parametrize(
    ("mode", "statement"), [("delete", "CREATE TABLE theirs (x)"), ("wal", "PRAGMA application_id = 77")]
)
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


def dropped(path):
    SQLiteStore(path).connection.execute("DROP TABLE parts")


def malformed(path):
    store = SQLiteStore(path)
    for number in range(300):
        store.do("log", "append", "x" * number)
    store.close()
    with path.open("r+b") as file:  # everything but the first page, which holds the schema
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 4096))


NOT_AS_THEY_SHOULD_BE = {
    "no database": (
        lambda path: path.write_bytes(b"not a database at all, though it is quite a long text\n" * 100),
        ("not a database", "name a new file"),
    ),
    "malformed": (malformed, ("malformed", "delete it and run again")),
    "dropped": (dropped, ("no such table", "delete it and run again")),
    "a folder": (lambda path: path.mkdir(), ("unable to open", "It is a folder")),
    "nowhere/engine": (lambda path: None, ("unable to open", "its folder does not exist")),
}


def test_what_is_no_store_or_a_damaged_one_is_named(tmp_path):
    for name, (make, said) in NOT_AS_THEY_SHOULD_BE.items():
        path = tmp_path / name
        make(path)
        before = path.read_bytes() if path.is_file() else None
        refused(path, *said)
        assert before is None or path.read_bytes() == before
    for path in (None, 5, "a\0b", ":memory:", "", b"bytes", ["a"], "\ud800.db"):
        with pytest.raises(BadInput, match=r"The path of a store is .*; give the name of a file"):
            SQLiteStore(path)


def test_a_full_disk_loses_nothing_and_goes_on_when_there_is_space(tmp_path):
    store = SQLiteStore(tmp_path / "engine.sqlite")
    store.connection.execute("PRAGMA max_page_count = 60")
    appends = (store.do("log", "append", [number, "x" * 2_000]) for number in itertools.count())
    with pytest.raises(CourseError, match="free some space and run again; what was committed is safe"):
        list(appends)
    count = len(store.look("log", "log"))
    assert count > 10
    assert check_whole(store.path) == count
    store.connection.execute("PRAGMA max_page_count = 1000000")
    store.do("log", "append", "goes on")
    assert check_whole(store.path) == count + 1 + 3, "three reads by the first check, one record by us"


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
