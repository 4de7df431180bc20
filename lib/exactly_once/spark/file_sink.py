"""The sink that is a file, for real: a task writes files, and is killed before and after each rename.

The handlers are those that the explorer proves and refutes (`handlers.file_sink`); here their files are files.
"""

import shutil

import pandas

from ..errors import CourseError, one_of
from ..faults import POINTS, Fault, FaultPlan
from ..handlers.stream.file_sink import SINK, file_sink, in_place, two_files
from ..handlers.stream.files import Folder, on_disk
from ..owned import RUNS, new_folder
from ..pipeline import Job
from .cluster.cluster import only_here
from .run.tasks import run_many, with_slots

WAYS = {"file_sink": file_sink, "in_place": in_place, "two_files": two_files}
COLUMNS = ("processes killed", "hours in the file", "hours expected", "doubled", "lost", "seconds")


def kill_around_renames(ways=tuple(WAYS), hours=6, points="ABCD", spark=None):
    """Write a file in each of these ways, as a task of the cluster that is SIGKILLed once at each point of each hour.

    Points: A, an hour was read; B, a half of a file is written; C, it is whole (before the rename; in `two_files`
    after that of the averages); D, after the last rename. Returns a DataFrame, a row for each way. Raises as
    `run_many` does.
    """
    for way in ways:
        one_of("the way to write the file", way, WAYS)
    for point in points:
        one_of("the crash point", point, POINTS)
    spark = with_slots(spark, 1)
    only_here(spark, "Files, which are in a folder here,")
    plan = FaultPlan([Fault(point, hour) for hour in range(1, hours + 1) for point in points])
    folders = {way: new_folder(RUNS, "files") for way in ways}
    try:
        runs = run_many([(on_disk(WAYS[way], folders[way]), plan, Job(items=hours)) for way in ways], spark)
        rows = [_row(run, Folder(folders[way]), hours) for way, run in zip(ways, runs, strict=True)]
    finally:
        for folder in folders.values():
            shutil.rmtree(folder, ignore_errors=True)
    return pandas.DataFrame(rows, index=list(ways), columns=COLUMNS)


def _row(run, folder, hours):
    if run.error:
        raise CourseError(f"The task that writes files failed: {run.error.strip().splitlines()[-1]}")
    lines = folder.read(SINK)[1] or []
    found = [line[0] for line in lines if isinstance(line, list)]
    once = set(found)
    return (
        len(run.trace.deaths()),
        len(found),
        hours,
        len(found) - len(once),
        hours - len(once),
        round(run.seconds, 1),
    )
