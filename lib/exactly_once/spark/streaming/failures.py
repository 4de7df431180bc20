"""Why a streaming query failed, in a sentence: Spark says it in a hundred lines, with plans and stacks of calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...errors import CourseError, cut
from ..cluster.session import explain

if TYPE_CHECKING:
    from pyspark.sql.streaming import DataStreamWriter, StreamingQuery

FRONT = re.compile(r"^\[\w+\] Query \[id = .*?\] terminated with exception: ", re.DOTALL)
LOST = re.compile(
    r"Task (\d+) in stage [\d.]+ failed (\d+) times?, most recent failure: .*?\): (?:[\w.$]+: )*(.*?[.)])(?: |$)"
)
TRACEBACK = "Traceback (most recent call last):"
LONGEST = 400  # characters
STATE = re.compile(r" SQLSTATE: \w+\.?$")
JAVA = re.compile(
    r"^: [\w.$]+\.(\w+): (.*)$", re.MULTILINE
)  # the error below py4j's "An error occurred while calling"
OTHER = "The checkpoint is that of another query"
SAID = (  # signs of Spark's errors, and what they mean to a person who runs a query
    (r"CONCURRENT_STREAM_LOG_UPDATE|Multiple streaming", "Another query runs on the same checkpoint"),
    (r"STATE_STORE_\w+_SCHEMA|sources in the checkpoint offsets|No usable value for", OTHER),
    (r"MISSING_METADATA", "The checkpoint has logs and no metadata: it is not whole"),
    (r"MALFORMED_LOG_FILE|Failed to read log file", "A file of the checkpoint cannot be read"),
    (r"ParentNotDirectory|AccessControlException|Permission denied|Read-only|mkdir", "The folder cannot be written"),
)
REMEDY = "Give each query a checkpointLocation of its own, in a folder that you may write."


def finish(writer: DataStreamWriter) -> StreamingQuery:
    """Start a query that ends by itself, and return it at its end. An interrupt stops it.

    Raises `CourseError`, which says in a sentence why the query failed.
    """
    query = None
    try:
        query = writer.start()
        query.awaitTermination()
    except Exception as why:  # noqa: BLE001 - Spark's classes differ; what it says goes into a sentence
        raise CourseError(f"The query failed. {why_it_failed(why)}") from None
    finally:
        if query is not None and query.isActive:
            query.stop()
    return query


def why_it_failed(why: BaseException) -> str:
    """Return the failure of a query in a sentence, without Spark's plans and stacks of calls."""
    said = FRONT.sub("", str(why).strip())
    if python := _python_error(said):
        return cut(f"Its Python code raised {python}.", LONGEST)
    java = JAVA.search(said)
    line = STATE.sub("", ": ".join(java.groups()) if java else said.partition("\n")[0])
    if lost := LOST.search(line):
        return cut(f"Task {lost[1]} failed {lost[2]} times, the last time so: {lost[3]}", LONGEST)
    for sign, words in SAID:
        if re.search(sign, said):
            return f"{words} ({cut(line.rstrip('.'), LONGEST)}). {REMEDY}"
    return cut(explain(ValueError(line)), LONGEST)


def _python_error(said: str) -> str:
    """Return the line that names the error in the last traceback of Python's, or ""."""
    _, found, lines = said.rpartition(TRACEBACK)
    return (
        next((line.strip().rstrip(".") for line in lines.splitlines()[1:] if line[:1].strip()), "") if found else ""
    )
