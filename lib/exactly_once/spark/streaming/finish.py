"""Run a streaming query to its end, and say in a sentence why it failed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...errors import CourseError
from .said import said

if TYPE_CHECKING:
    from pyspark.sql.streaming import DataStreamWriter, StreamingQuery
LOST = re.compile(
    r"Task (\d+) in stage [\d.]+ failed (\d+) times?, most recent failure: .*?\): (?:[\w.$]+: )*(.*?\)?)[.\n]"
)


def finish(writer: DataStreamWriter) -> StreamingQuery:
    """Start a query that ends by itself, and return it at its end. An interrupt stops it.

    Raises `CourseError`, which says in a sentence why the query failed.
    """
    query = None
    try:
        query = writer.start()
        query.awaitTermination()
    except Exception as why:  # noqa: BLE001 - Spark's classes differ; what it says goes into a sentence
        raise CourseError(_in_a_sentence(why)) from None
    finally:
        if query is not None and query.isActive:
            query.stop()
    return query


def _in_a_sentence(why: BaseException) -> str:
    if lost := LOST.search(str(why)):
        return f"The query failed: task {lost[1]} failed {lost[2]} times, the last time so: {lost[3]}."
    return said(why)
