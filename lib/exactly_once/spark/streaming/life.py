"""One life of a query: the driver, `python -m exactly_once.spark.streaming.life FOLDER LIFE`.

The process that starts it keeps its standard input open. When that ends, this process kills its cluster and itself:
so nothing is left when a kernel dies.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from ...errors import CourseError, words_of
from ...node.program import unpickle_handler
from ...paths import replaced
from ..cluster import processes, session
from ..cluster.settings import shape_of
from .averages import averages
from .finish_query import finish
from .sinks import SINKS, Database, Places

MASTER = "local[2]"
SETTINGS = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.codegen.wholeStage": "false",  # compiling code for so few rows takes a second longer
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.streaming.noDataMicroBatches.enabled": "false",  # so that batch N is hour N + 1, and no other
}


def main(folder: Path, life: int) -> int:
    """Run the query in `folder` until it has handled all that is there; return the process's exit status."""
    threading.Thread(target=_die_with_the_parent, daemon=True).start()
    task = json.loads((folder / "query.json").read_text())
    failure = ""
    try:
        running = session.start(shape_of(MASTER))
        try:
            _run(running.session, folder, life, task)
        finally:
            session.end(running)
    except CourseError as why:
        failure = str(why)
    if failure and not (folder / "failure.txt").exists():
        replaced(folder / "failure.txt", failure)
    return 1 if failure else 0


def _run(spark: Any, folder: Path, life: int, task: dict[str, Any]) -> None:
    from .hours_source import HoursSource

    for name, value in SETTINGS.items():
        spark.conf.set(name, value)
    strike = task["kill"][life - 1] if life <= len(task["kill"]) else None
    places = Places(folder / "marks", life, tuple(strike) if strike else None)
    spark.dataSource.register(HoursSource)
    stream = spark.readStream.format("hours").options(
        hours=task["hours"], marks=places.file, life=life, strike=f"{strike[0]} {strike[1]}" if strike else ""
    )
    save = SINKS.get(task["sink"]) or unpickle_handler((folder / "sink").read_bytes())
    database = Database(folder / "sink.sqlite", places)

    def save_batch(frame: Any, batch_id: int) -> None:
        rows = sorted(frame.collect(), key=lambda row: row.hour)
        try:
            database.save(save, rows, batch_id)
        except Exception as why:
            replaced(folder / "failure.txt", f"The sink raised {words_of(why)}")
            raise

    writer = averages(stream.load()).writeStream.outputMode("update").foreachBatch(save_batch)
    writer = writer.option("checkpointLocation", str(folder / "checkpoint")).trigger(availableNow=True)
    finish(writer)


def _die_with_the_parent() -> None:
    while os.read(0, 1024):  # not sys.stdin, whose lock would be held when this process ends
        pass
    processes.kill(processes.our_processes(), wait=1)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
