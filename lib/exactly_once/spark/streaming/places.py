"""The places A to E of a micro-batch, at which the driver can be killed, and the marks of its processes there.

A is before offsets/N is written, B after that; C in the sink before its own commit, D after that; E after commits/N
is written.

The driver's Python code, and the process in which a Python data source has its methods called, write a line for each
place that they pass. The process that is to be killed at a place stands still there until it is.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import NamedTuple

PLACES = "ABCDE"
LOOK = 0.02  # s between two looks whether the driver still lives


class Mark(NamedTuple):
    """One thing that a life did: it passed the place `letter` of `batch`, or it started, was killed, or ended.

    `letter` is A to E, or "start", "killed" or "end"; `batch` is the batch's id, None where there is none.
    """

    life: int
    batch: int | None
    letter: str


class Places:
    """Passes the places of one life: leaves a mark in `file`, and stands still where the life is to be killed.

    `strike` is that place as (letter, batch), or None. The process that stands there ends when its parent does.
    """

    def __init__(self, file: Path, life: int, strike: tuple[str, int] | None) -> None:
        self.file, self.life, self.strike, self.parent = file, life, strike, os.getppid()

    def reach(self, letter: str, batch: int | None) -> None:
        """Leave a mark, and never return if the life is to be killed here."""
        leave(self.file, Mark(self.life, batch, letter))
        while (letter, batch) == self.strike and os.getppid() == self.parent:
            time.sleep(LOOK)


def leave(file: Path, mark: Mark) -> None:
    """Write a mark at the end of a file, in one piece."""
    with open(file, "ab", buffering=0) as marks:
        marks.write(json.dumps(mark).encode() + b"\n")


def marks_in(file: Path) -> list[Mark]:
    """Return the marks in a file, in the order in which they were left."""
    lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    return [Mark(*json.loads(line)) for line in lines if line.endswith(b"\n")]
