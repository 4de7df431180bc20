"""A streaming query in a driver process of its own, killed where you say, and run to its end by the next life."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from .... import owned
from ....errors import BadInput, CourseError, one_of, whole
from ....node.pickling import pickle_handler
from ....paths import replaced
from ...cluster import cluster as clusters
from ...cluster import handover, processes
from ...cluster.lease import lease_name
from ..checkpoint import checkpoint_of
from ..sinks import SINKS, Database, Save
from .places import PLACES, Mark, leave, marks_in
from .result import Life, QueryRun, Strike

if TYPE_CHECKING:
    import pandas

PATIENCE = 120.0  # s without a mark after which a life is given up
LOOK = 0.01  # s between two looks at the marks
MOST_HOURS = 200


def run_query(
    sink: str | Save = "append",
    kill: Sequence[Strike] | None = None,
    hours: int = 6,
    progress: Callable[[Mark], object] | None = None,
) -> QueryRun:
    """Run the query of chapter 12 over so many `hours`, an hour a batch, in a driver process of its own.

    sink: "append", "batch id", or a function `save(rows, batch_id, database)`, which foreachBatch calls.
    kill: a list of (letter, batch): the driver gets SIGKILL while it stands there, and a new driver goes on with the
        same checkpoint. The first life dies at the first place, the second at the second one, and so on.
    progress: a function that is called with each `Mark` as it is made.

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
    if progress is not None and not callable(progress):
        raise BadInput(f"progress is {progress!r}; give a function that takes a mark.")
    say = progress or (lambda mark: None)
    _make_room()
    folder = owned.new_folder(owned.RUNS, "stream")
    try:
        asked = {"sink": name if isinstance(sink, str) else "", "hours": hours, "kill": strikes}
        replaced(folder / "query.json", json.dumps(asked))
        if not isinstance(sink, str):
            replaced(folder / "sink", pickle_handler(sink))
        lives = [_live(folder, number, strike, say) for number, strike in enumerate([*strikes, None], 1)]
        rows, counter = _found(folder)
        run = QueryRun(name, hours, tuple(lives), tuple(marks_in(folder / "marks")), rows, counter, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(run, shutil.rmtree, folder, ignore_errors=True)
    return run


def checked_kills(kill: Sequence[Strike] | None, hours: int) -> list[Strike]:
    """Return the places as a list. Raises `BadInput` for one that is none, or that the life there does not reach."""
    strikes: list[Strike] = []
    first, letters = 0, "ABCDE"  # the batch with which a life begins, and the places of it that the life passes
    if kill is not None and not isinstance(kill, (list, tuple)):
        raise BadInput(f"kill is {kill!r}; give pairs of a letter and a batch, such as [('D', 2)].")
    for one in kill or ():
        if not (isinstance(one, (tuple, list)) and len(one) == 2):
            raise BadInput(f"kill has {one!r}; give pairs of a letter and a batch, such as [('D', 2)].")
        letter, batch = one_of("a place of kill", one[0], PLACES), whole("a batch of kill", one[1], 0, hours - 1)
        if batch < first or (batch == first and letter not in letters):
            raise BadInput(
                f"kill has {tuple(one)!r}, and the driver that should die there begins with {letters[0]} of batch "
                f"{first}: place it later, or first in the list."
            )
        strikes.append((letter, batch))
        first, letters = (batch + 1, "ABCDE") if letter == "E" else (batch, "ABCDE" if letter == "A" else "BCDE")
    return strikes


def _make_room() -> None:
    """Stop this process's own cluster: two would not fit beside each other, and there is one a machine."""
    try:
        clusters.running()  # one that is starting is waited for
    except CourseError:
        return
    clusters.stop_cluster()
    handover.tell("The query gets a driver of its own, and this notebook's cluster was stopped. cluster() starts it.")


def _live(folder: Path, number: int, strike: Strike | None, say: Callable[[Mark], object]) -> Life:
    """Start a driver; kill it where it should die, or see it end. Returns the `Life`."""
    file, errors = folder / "marks", folder / f"life-{number}.err"
    seen = len(marks_in(file))
    began = time.time()

    def mark(letter: str, batch: int | None = None) -> None:
        leave(file, Mark(number, batch, letter, time.time()))

    mark("start")
    with open(errors, "wb") as output:
        driver = subprocess.Popen(
            [sys.executable, "-P", "-m", "exactly_once.spark.streaming.driver.life", str(folder), str(number)],
            env={**os.environ, "EXACTLY_ONCE_LEASE": lease_name()},
            stdin=subprocess.PIPE,  # its end tells the driver that this process is gone
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C and the Stop button are for the kernel
        )
    last, struck, first = time.monotonic(), None, None
    try:
        while True:
            ended = driver.poll() is not None
            marks = marks_in(file)
            for one in marks[seen:]:
                say(one)
                if one.letter == "C" and first is None:
                    first = one.wall - began
                if (one.letter, one.batch) == strike:
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
    say(marks_in(file)[-1])
    if not struck and driver.returncode:
        raise CourseError(_said(folder, errors))
    if strike and not struck:
        raise CourseError(f"The query ended before it came to {strike[0]} of batch {strike[1]}.")
    return Life(number, driver.pid, first, struck, checkpoint_of(folder / "checkpoint"))


def _kill(driver: subprocess.Popen[bytes]) -> None:
    """Kill a driver and all its processes, Java first, and wait until they are gone."""
    remain = []
    if driver.poll() is None:
        process = psutil.Process(driver.pid)
        remain = processes.kill([process, *process.children(recursive=True)])
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

    database = Database(folder / "sink.sqlite")
    try:
        rows = database.execute("SELECT hour, average, batch FROM averages ORDER BY rowid").fetchall()
        ((counter,),) = database.execute("SELECT windows FROM counter").fetchall()
    finally:
        database.close()
    return pandas.DataFrame(rows, columns=["hour", "average", "batch"]), counter
