"""Temporary folders whose names tell whose they are, so that what a killed process leaves can be swept.

Such a folder is named `<kind>-<pid>-<start>-<random>`: the pid and the start of the process that made it.
"""

import os
import select
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self

from .errors import number_in
from .paths import temporary

RUNS, PROOFS, SERVERS = "runs", "proofs", "servers"  # where they are, below the course's temporary folder
LOOK_SECONDS = 0.5  # between two looks at whether the parent is there
CLOCK_SLACK = 2  # s; a process's start is counted from the boot time, which itself is corrected now and then


class Owner(NamedTuple):
    """A process that has something: its id, and its start in whole seconds, because ids are used again."""

    pid: int
    start: int

    def __str__(self) -> str:
        return f"{self.pid}:{self.start}"

    @classmethod
    def of(cls, pid: int) -> Self:
        """Return the owner that process `pid` is. Raises `psutil.NoSuchProcess` if there is none."""
        import psutil  # here, so that who asks for no process needs no package

        return cls(pid, int(psutil.Process(pid).create_time()))

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the owner written as `<pid>:<start>`, or None for any other text."""
        pid, _, start = text.partition(":")
        number, began = number_in(pid), number_in(start)
        return cls(number, began) if number is not None and began is not None and 0 < number < 2**31 else None

    def is_same(self, other: "Owner") -> bool:
        """Tell whether both mean the same process."""
        return self.pid == other.pid and abs(self.start - other.start) <= CLOCK_SLACK

    def alive(self) -> bool:
        """Tell whether this very process still runs."""
        import psutil

        try:
            process = psutil.Process(self.pid)
            return process.status() != psutil.STATUS_ZOMBIE and self.is_same(Owner.of(self.pid))
        except psutil.Error:
            return False


def me() -> Owner:
    """Return this process as an owner."""
    return Owner.of(os.getpid())


def new_folder(place: str, kind: str) -> Path:
    """Make a folder of this process's in `RUNS` or the like, and return its path. `kind` is one word without "-"."""
    owner = me()
    return Path(tempfile.mkdtemp(prefix=f"{kind}-{owner.pid}-{owner.start}-", dir=temporary(place)))


def left_behind(place: str) -> list[Path]:
    """Return the folders in `RUNS` or the like whose owner is dead."""
    found = []
    for path in temporary(place).iterdir():
        owner = Owner.parse(":".join(path.name.split("-")[1:3]))
        if owner is not None and not owner.alive():
            found.append(path)
    return found


def sweep(place: str) -> None:
    """Remove the folders in `RUNS` or the like whose owner is dead."""
    for path in left_behind(place):
        shutil.rmtree(path, ignore_errors=True)


def heard_from_parent() -> Iterator[bytes]:
    """Yield each line that comes by standard input, until it ends or the parent has died.

    Whatever the parent has forked may keep its end of the pipe open.
    """
    parent, more, heard = os.getppid(), True, b""
    while more and os.getppid() == parent:
        if select.select([0], [], [], LOOK_SECONDS)[0]:
            more = bool(found := os.read(0, 4096))
            *lines, heard = (heard + found).split(b"\n")
            yield from lines
