"""SQLite disks that are damaged, cut short or no logs: a sentence that names file and offset, never wrong data."""

import sqlite3

import pytest

from exactly_once import CourseError
from exactly_once.log import SQLiteDisk
from exactly_once.log.log_errors import CorruptLog
from tests.log.disk_writers import append


@pytest.fixture
def path(tmp_path):
    """Give a log of 20 batches of two records, closed, so that all of it is in its one file."""
    path = tmp_path / "broker-0.sqlite"
    disk = SQLiteDisk(path)
    for number in range(20):
        append(disk, [f"first {number} ".encode() * 900, f"second {number} ".encode() * 900])
    with disk.transaction():
        disk.put("high watermarks", {"orders-0": 40})
    disk.close()
    return path


def told(path, kind=CorruptLog, read=lambda disk: disk.batches("orders-0")):
    """Return the sentence of the refusal to read a log."""
    with pytest.raises(kind) as why:
        read(SQLiteDisk(path))
    message = str(why.value)
    assert str(path) in message
    assert "\n" not in message
    assert message.endswith(".")
    return message


def change(path, *statement):
    """Change a log behind the library's back."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(*statement)
    connection.close()


def test_a_changed_byte_in_a_batch_is_found_with_its_offset(path):
    text = path.read_bytes()
    place = text.index(b"second 7 second 7 ") + 5000
    path.write_bytes(text[:place] + b"?" + text[place + 1 :])
    message = told(path)
    assert "the batch of orders-0 at offset 14 is not what was written" in message
    assert "What stands before it can be read." in message
    assert "Put back a copy of the log's whole folder" in message
    disk = SQLiteDisk(path)
    assert [one.base for one in disk.batches("orders-0", limit=14)] == list(range(0, 14, 2))
    assert [one.base for one in disk.batches("orders-0", 16)] == list(range(16, 40, 2))


def test_a_file_that_is_cut_short_empty_or_missing_is_found(path):
    whole = path.read_bytes()
    for part in (0.99, 0.6, 0.3):
        path.write_bytes(whole[: int(len(whole) * part)])
        assert "malformed" in (message := told(path)) or "is not what was written" in message
    for rest in (b"", b"SQLite", None):  # SQLite itself begins a new file in each
        path.unlink(missing_ok=True)
        if rest is not None:
            path.write_bytes(rest)
        with pytest.raises(CorruptLog, match=r"broker-0\.sqlite is missing, or empty\. Put back"):
            SQLiteDisk(path, create=False)


def test_what_is_no_log_is_refused_and_not_changed(path, tmp_path):
    text = tmp_path / "notes.txt"
    text.write_bytes(b"not a database at all, though it is quite a long text\n" * 100)
    assert "not a database" in told(text)
    other = tmp_path / "theirs.sqlite"
    change(other, "CREATE TABLE theirs (x)")
    assert "a SQLite file of another program" in told(other, CourseError)
    change(path, "PRAGMA user_version = 9")
    before = [one.read_bytes() for one in (text, other, path)]
    assert "is a log in format 9, and this version of the course reads format 3" in told(path, CourseError)
    assert [one.read_bytes() for one in (text, other, path)] == before
