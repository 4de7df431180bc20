"""A streaming query in a driver process of its own, killed where you say, and run to its end by the next life."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import subprocess
import sys
import time
import weakref
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from ... import owned
from ...errors import BadInput, CourseError, one_of, whole
from ...handlers.stream.naive import at_least_once
from ...node.program import pickle_handler
from ...paths import replaced
from ...pipeline import Job
from ...simulate import simulate
from ...verdict import Run
from ..cluster import cluster as clusters
from ..cluster import handover, processes
from ..cluster.lease import lease_name
from .checkpoint import Checkpoint, checkpoint_of
from .sinks import PLACES, SINKS, Database, Mark, Save, leave, marks_in

if TYPE_CHECKING:
    import pandas

PATIENCE = 120.0  # s without a mark after which a life is given up
LOOK = 0.01  # s between two looks at the marks
MOST_HOURS = 200
Strike = tuple[str, int]  # a place to be killed at: its letter and the batch


@dataclass(frozen=True)
class Life:
    """One life of a driver; `checkpoint` is the checkpoint as it has left it."""

    number: int
    pid: int
    killed_at: Strike | None
    checkpoint: Checkpoint = field(repr=False)


@dataclass(eq=False)
class QueryRun:
    """What is left of a query and its lives: the sink's rows, the counter, the marks, and the checkpoint's folder."""

    sink: str
    hours: int
    lives: tuple[Life, ...]
    marks: tuple[Mark, ...]
    rows: pandas.DataFrame
    counter: int
    folder: Path

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint as the last life has left it."""
        return checkpoint_of(self.folder / "checkpoint")

    @functools.cached_property
    def calm(self) -> Run:
        """The run of chapter 04's handler over the same hours, in which nothing dies."""
        return simulate(at_least_once, job=Job(items=self.hours))

    @property
    def expected(self) -> dict[int, float]:
        """The average of each hour in that run."""
        return {push.item or 0: float(push.value) for push in self.calm.pushes}

    @property
    def doubled(self) -> list[int]:
        """The hours that the sink has more often than once."""
        return sorted(hour for hour, times in Counter(self.rows["hour"].tolist()).items() if times > 1)

    @property
    def lost(self) -> list[int]:
        """The hours that the sink does not have."""
        return sorted(self.expected.keys() - set(self.rows["hour"].tolist()))

    @property
    def wrong(self) -> list[int]:
        """The hours for which the sink has another average than the right one."""
        found = self.rows[["hour", "average"]].values.tolist()
        return sorted({hour for hour, average in found if self.expected.get(hour) != average})

    @property
    def exactly_once(self) -> bool:
        """Whether rows and counter are those of a run in which nothing dies."""
        return not (self.doubled or self.lost or self.wrong) and self.counter == self.calm.outcome.counter

    @property
    def sentence(self) -> str:
        """The result in a sentence for people."""
        deaths = [f"{life.killed_at[0]} of batch {life.killed_at[1]}" for life in self.lives if life.killed_at]
        how = f"The driver was killed at {' and '.join(deaths)}." if deaths else "Nobody was killed."
        found = [
            f"hour {hour} {word}"
            for hours, word in ((self.doubled, "doubled"), (self.lost, "lost"), (self.wrong, "wrong"))
            for hour in hours
        ]
        rows = ", ".join(found) or f"each of the {self.hours} hours once"
        counter = f"the counter is {self.counter} and should be {self.calm.outcome.counter}"
        return f"{how} The sink {self.sink!r} has {rows}, and {counter}."

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        rows = self.rows.assign(found=["doubled" if hour in self.doubled else "" for hour in self.rows["hour"]])
        return f"<p>{escape(self.sentence)}</p>{rows.to_html(index=False, border=0)}"


def run_query(
    sink: str | Save = "append",
    kill: Sequence[Strike] | None = None,
    hours: int = 6,
) -> QueryRun:
    """Run the query of chapter 12 over so many `hours`, an hour a batch, in a driver process of its own.

    sink: "append", "batch id", or a function `save(rows, batch_id, database)`, which foreachBatch calls.
    kill: a list of (letter, batch): the driver gets SIGKILL while it stands there, and a new driver goes on with the
        same checkpoint. The first life dies at the first place, the second at the second one, and so on.

    A cluster of this notebook is stopped first. Raises `BadInput` for arguments that make no sense, `CourseError` for
    a query that fails.
    """
    whole("hours", hours, 1, MOST_HOURS)
    strikes = checked_kills(kill, hours)
    name = sink if isinstance(sink, str) else getattr(sink, "__name__", "save")
    if isinstance(sink, str):
        one_of("sink", sink, SINKS)
    elif not callable(sink):
        raise BadInput(f"sink is {sink!r}; give 'append', 'batch id', or a function save(rows, batch_id, database).")
    _make_room()
    folder = owned.new_folder(owned.RUNS, "stream")
    try:
        asked = {"sink": name if isinstance(sink, str) else "", "hours": hours, "kill": strikes}
        replaced(folder / "query.json", json.dumps(asked))
        if not isinstance(sink, str):
            replaced(folder / "sink", pickle_handler(sink))
        lives = [_live(folder, number, strike) for number, strike in enumerate([*strikes, None], 1)]
        rows, counter = _found(folder)
        run = QueryRun(name, hours, tuple(lives), tuple(marks_in(folder / "marks")), rows, counter, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(run, shutil.rmtree, folder, ignore_errors=True)
    return run


def checked_kills(kill: Sequence[Strike] | None, hours: int) -> list[Strike]:
    """Return the places as a list. Raises `BadInput` for one that is none."""
    pairs = isinstance(kill or (), (list, tuple)) and all(
        isinstance(one, (list, tuple)) and len(one) == 2 for one in kill or ()
    )
    if not pairs:
        raise BadInput(f"kill is {kill!r}; give pairs of a letter and a batch, such as [('D', 2)].")
    return [
        (one_of("a place of kill", letter, PLACES), whole("a batch of kill", batch, 0, hours - 1))
        for letter, batch in kill or ()
    ]


def _make_room() -> None:
    """Stop this process's own cluster: two would not fit beside each other, and there is one a machine."""
    try:
        clusters.running()  # one that is starting is waited for
    except CourseError:
        return
    clusters.stop_cluster()
    handover.tell("The query gets a driver of its own, and this notebook's cluster was stopped. cluster() starts it.")


def _live(folder: Path, number: int, strike: Strike | None) -> Life:
    """Start a driver; kill it where it should die, or see it end. Returns the `Life`."""
    file, errors = folder / "marks", folder / f"life-{number}.err"
    seen = len(marks_in(file))

    def mark(letter: str, batch: int | None = None) -> None:
        leave(file, Mark(number, batch, letter))

    mark("start")
    with open(errors, "wb") as output:
        driver = subprocess.Popen(
            [sys.executable, "-P", "-m", "exactly_once.spark.streaming.life", str(folder), str(number)],
            env={**os.environ, "EXACTLY_ONCE_LEASE": lease_name()},
            stdin=subprocess.PIPE,  # its end tells the driver that this process is gone
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C and the Stop button are for the kernel
        )
    last, struck = time.monotonic(), None
    try:
        while True:
            ended = driver.poll() is not None
            marks = marks_in(file)
            if strike in [(one.letter, one.batch) for one in marks[seen:]]:
                struck = strike
            if len(marks) > seen:
                seen, last = len(marks), time.monotonic()
            if struck or ended:
                break
            if time.monotonic() - last > PATIENCE:
                raise CourseError(
                    f"The query's driver did nothing for {PATIENCE:g} s and was killed. {_said(folder, errors)}"
                )
            time.sleep(LOOK)
    finally:
        _kill(driver)
    mark("killed" if struck else "end", struck[1] if struck else None)
    if not struck and driver.returncode:
        raise CourseError(_said(folder, errors))
    if strike and not struck:
        raise CourseError(f"The query ended before it came to {strike[0]} of batch {strike[1]}.")
    return Life(number, driver.pid, struck, checkpoint_of(folder / "checkpoint"))


def _kill(driver: subprocess.Popen[bytes]) -> None:
    """Kill a driver and all its processes, Java first, and wait until they are gone."""
    process = psutil.Process(driver.pid) if driver.poll() is None else None
    remain = processes.kill([process, *process.children(recursive=True)] if process else [])
    driver.wait()
    remain += processes.kill(processes.our_processes(driver.pid))
    if driver.stdin:
        driver.stdin.close()
    if remain:
        raise CourseError(f"Processes of the query's driver do not end: {', '.join(str(one.pid) for one in remain)}.")


def _said(folder: Path, errors: Path) -> str:
    failure = folder / "failure.txt"
    if failure.exists():
        return failure.read_text()
    lines = errors.read_text(errors="replace").strip().splitlines()
    return f"The query's driver ended: {lines[-1] if lines else 'it printed nothing'}."


def _found(folder: Path) -> tuple[pandas.DataFrame, int]:
    """Return the sink's rows, in the order of their insertion, and its counter."""
    import pandas

    with contextlib.closing(Database(folder / "sink.sqlite")) as database:
        rows = database.execute("SELECT hour, average, batch FROM averages ORDER BY rowid").fetchall()
        ((counter,),) = database.execute("SELECT windows FROM counter").fetchall()
    return pandas.DataFrame(rows, columns=["hour", "average", "batch"]), counter
