"""The mark beside a SQLite file that is open, by which a write-ahead log that somebody deleted is found out.

A process that is killed leaves its last commits in the file's `-wal`, where SQLite finds them. Without that file
SQLite takes the main file for the whole, and the commits since the last checkpoint are gone without a word. So a file
`…-open` lies there from the first opening until the last one closes in order: a mark, and no `-wal`, is damage. (If a
program other than this course was the last to close the file in order, the mark may be deleted.)
"""

import contextlib
import fcntl
import os
import sqlite3
import time

from ...errors import CourseError

OPEN, CLOSING = "open", "closing"  # a process that dies while it closes leaves nothing undone


class Busy(Exception):
    """Somebody is in the gate."""


class OpenMark:
    """The mark of one file. Look at it and change it only inside `gate()`."""

    def __init__(self, path, patience):
        self.file, self.wal, self._mark = str(path), f"{path}-wal", f"{path}-open"
        self._folder, self._patience = os.path.dirname(os.path.abspath(path)), patience
        self.process = os.getpid()

    @contextlib.contextmanager
    def gate(self, wait=True):
        """Run the block alone among all that open or close a log in this folder.

        Without `wait` it raises `Busy` at once when somebody else, or this very process, is in there.
        """
        try:
            folder = os.open(self._folder, os.O_RDONLY)
        except OSError:  # there is no such folder: opening the file tells
            yield
            return
        try:
            deadline = time.monotonic() + self._patience
            while True:
                try:
                    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if not wait:
                        raise Busy from None
                    if time.monotonic() > deadline:
                        raise CourseError(
                            f"Another process has been opening or closing a log in {self._folder} for over "
                            f"{self._patience} seconds: stop that process and run again."
                        ) from None
                    time.sleep(0.002)
            yield
        finally:
            os.close(folder)
            if wait:
                close_left()

    def wal_was_lost(self):
        """Tell whether the file was not closed in order and its `-wal` is gone."""
        try:
            with open(self._mark, encoding="ascii") as mark:
                return mark.read() == OPEN and not os.path.exists(self.wal)
        except FileNotFoundError:
            return False

    def put(self, word):
        """Make the mark say this."""
        with open(self._mark, "w", encoding="ascii") as mark:
            mark.write(word)

    def settle(self):
        """After a connection was closed: take the mark away if it was the last, with which SQLite ends the `-wal`."""
        if os.path.exists(self.wal):
            self.put(OPEN)
        else:
            self.remove()

    def remove(self):
        """Take the mark away."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._mark)

    def inodes(self):
        """Return which files these are: others, by the same names, are others. None if one is gone."""
        try:
            return os.stat(self.file).st_ino, os.stat(self.wal).st_ino
        except FileNotFoundError:
            return None, None


_left = []  # (mark, connection) of logs that were let go while the gate was shut, and are to be closed in order


def let_go(mark, connection):
    """Close a connection that nobody has closed, without waiting: the garbage collector calls this at any moment.

    This process may be in the gate at that moment: then the connection is closed when the gate is left.
    """
    _left.append((mark, connection))
    close_left()


def close_left(wait=False):
    """Close abandoned connections, as far as the gates are free; with `wait`, all of it, each when its gate is."""
    for _ in range(len(_left)):
        try:
            one = _left.pop()
        except IndexError:  # the garbage collector, or another thread, was here in between
            return
        try:
            closed(*one, wait)
        except Busy:
            _left.insert(0, one)


def closed(mark, connection, wait=True):
    """Close a connection, and take its mark away if it was the last one to the file. `wait` is as in `gate`."""
    if os.getpid() != mark.process:
        return  # a forked child's copy of a connection is its parent's to close
    with mark.gate(wait):
        with contextlib.suppress(OSError):  # the folder may be gone
            mark.put(CLOSING)
        try:
            connection.close()
        except sqlite3.ProgrammingError:  # opened in another thread: nobody knows when that one lets it go
            mark.remove()
            return
        mark.settle()
