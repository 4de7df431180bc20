"""A Python data source for a stream: the course's two series, one hour in each micro-batch.

Offsets are how many hours were read, so batch N goes from offset N to N + 1. Spark calls `latestOffset` before it
writes the batch's offsets, and `partitions` after that: the places A and B (and E, at the next `latestOffset`). These
methods run in one Python process beside the driver; `read` runs in the tasks. Source: PySpark 4.3, `DataSource`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadLimit, ReadMaxRows, SupportsTriggerAvailableNow

from ...pipeline import STREAMS, series
from .averages import SCHEMA
from .sinks import Places


class Hours(InputPartition):
    """The hours of one task: offsets from `first` up to, not including, `end`."""

    def __init__(self, first: int, end: int) -> None:
        self.first, self.end = first, end


class HoursSource(DataSource):
    """The source `hours`. Options: `hours` (how many), `marks` (a file), `life`, and `strike` ("A 2", say, or "")."""

    @classmethod
    def name(cls) -> str:
        """Return the source's name for `format`."""
        return "hours"

    def schema(self) -> str:
        """Return the columns of the rows."""
        return SCHEMA

    def streamReader(self, schema: Any) -> HoursReader:
        """Return the reader of the stream."""
        return HoursReader(self.options)


class HoursReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads an hour a batch, and again the same hours for the same offsets."""

    def __init__(self, options: Any) -> None:
        self.hours = int(options["hours"])
        letter, _, batch = options["strike"].partition(" ")
        strike = (letter, int(batch)) if letter else None
        self.places = Places(Path(options["marks"]), int(options["life"]), strike)
        self.run: set[int] = set()  # the batches that this life has run

    def initialOffset(self) -> dict[str, int]:
        """Return the offset before the first hour; only a query without a checkpoint asks for it."""
        return {"hours": 0}

    def prepareForTriggerAvailableNow(self) -> None:
        """Nothing: no hours arrive meanwhile."""

    def getDefaultReadLimit(self) -> ReadLimit:
        """Return the limit that `latestOffset` is given: the rows of one hour."""
        return ReadMaxRows(len(STREAMS))

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:
        """Return where the next batch ends. Spark has not written this batch's offsets yet."""
        batch = start["hours"]
        if batch - 1 in self.run:
            self.run.remove(batch - 1)
            self.places.reach("E", batch - 1)
        if batch == self.hours:
            return start
        self.places.reach("A", batch)
        return {"hours": batch + 1}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[InputPartition]:
        """Return the tasks of a batch, a single one. Spark has written this batch's offsets."""
        self.run.add(start["hours"])
        self.places.reach("B", start["hours"])
        return [Hours(start["hours"], end["hours"])]

    def read(self, partition: Any) -> Iterator[tuple[int, str, int]]:
        """Yield the rows of a task."""
        for offset in range(partition.first, partition.end):
            for stream in STREAMS:
                reading = series(stream)[offset]
                yield reading.hour, stream, int(reading.value * 10)
