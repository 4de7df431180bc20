"""Run a streaming query to its end, and say in one sentence why it failed: Spark's own text is a page of plans."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from ...errors import CourseError, cut, in_one_line

if TYPE_CHECKING:
    from pyspark.sql.streaming import DataStreamWriter, StreamingQuery

OTHER_QUERY = "The checkpoint is of another query: {0} Give each query a checkpoint folder of its own."
NO_FOLDER = "The folder {0} cannot be written. Give a folder that you may write, below the course's temporary folder."
SENTENCES = (  # what stands in the text of an error, and what it means; {0} is what the brackets have found
    (r"concurrently using (\S+?)\.? ",
     "Another query writes to the same checkpoint: this one found it out at the log {0}, where it failed. What its "
     "sink had written by then stays."),
    (r"Multiple streaming jobs detected for (\d+)",
     "Another query writes to the same checkpoint: this one found it out at batch {0}, which was in the log already, "
     "and failed. What its sink had written by then stays."),
    (r"Cannot start query with id (\S+)|\[CONCURRENT_QUERY\]",
     "This query runs already in this cluster: stop it, then start it again."),
    (r"\[STREAMING_CHECKPOINT_MISSING_METADATA_FILE\] Checkpoint location (\S+)",
     "The checkpoint {0} has logs and no file `metadata`: restore that file, or begin with an empty folder, with "
     "which the sink gets all rows again."),
    (r"(There are \[\d+\] sources in the checkpoint offsets and now there are \[\d+\])", OTHER_QUERY),
    (r"\[STATE_STORE_\w+_SCHEMA_NOT_COMPATIBLE\] ([^.\n]+\.)", OTHER_QUERY),
    (r"\[STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA\] ([^.\n]+\.)", OTHER_QUERY),
    (r"(No usable value for \w+)", OTHER_QUERY),
    (r"mkdir of (\S+) failed", NO_FOLDER),
    (r"Parent path is not a directory: (\S+)|Destination exists and is not a directory: (\S+)", NO_FOLDER),
    (r"(?:Permission denied|AccessControlException)\W+(\S+)|(\S+) \(Permission denied\)", NO_FOLDER),
    (r"No space left on device", "The disk is full. Free some, then start the query again: it goes on where it was."),
    (r"\[STDS_COMMITTED_BATCH_UNAVAILABLE\]", "The checkpoint has no committed batch, so there is no state to read."),
    (r"Py4JNetworkError|ConnectionRefusedError|Answer from Java side is empty",
     "Spark's Java process ended, or was stopped, in the middle of the query. Its checkpoint is as it was left."),
)  # fmt: skip
LOST = re.compile(
    r"Task (\d+) in stage [\d.]+ failed (\d+) times?, most recent failure: .*?\): (?:[\w.$]+: )*(.*?\)?)[.\n]"
)
NOISY = "SQLQueryContextLogger", "DataFrameQueryContextLogger"  # PySpark's; they print each error beside raising it


def finish(writer: DataStreamWriter) -> StreamingQuery:
    """Start a query that ends by itself, and return it at its end. An interrupt stops it.

    Raises `CourseError`, which says in a sentence why the query failed.
    """
    query = None
    try:
        query = writer.start()
        query.awaitTermination()
    except Exception as why:  # noqa: BLE001 - Spark's classes differ; what it says goes into a sentence
        raise CourseError(said(why)) from None
    finally:
        if query is not None and query.isActive:
            query.stop()
    return query


def said(error: BaseException) -> str:
    """Return one sentence for the error that a streaming query, or its start, has raised.

    Source of the texts that it knows: Spark 4.3's error conditions, and what its queries raised when they were tried.
    """
    if isinstance(error, CourseError):
        return str(error)
    if isinstance(error, KeyboardInterrupt):
        return "The query was stopped. Its checkpoint stays, and a restart goes on from it."
    text = _text(error)
    if lost := LOST.search(str(error)):
        return f"The query failed: task {lost[1]} failed {lost[2]} times, the last time so: {lost[3]}."
    for pattern, sentence in SENTENCES:
        if found := re.search(pattern, text):
            what = next((part for part in found.groups() if part), "").removeprefix("file:").rstrip(".:,")
            return sentence.format(what if sentence is not OTHER_QUERY else f"{what}.")
    if "[FOREACH_BATCH_USER_FUNCTION_ERROR]" in text:
        return f"The function of foreachBatch failed: {_raised(text)}"
    return f"The query failed: {_condition(text) or _ended(in_one_line(error))}"


def quiet() -> None:
    """Keep PySpark from printing an error that it raises as well: its whole stack, in one line of JSON."""
    for name in NOISY:
        logging.getLogger(name).disabled = True


def _text(error: BaseException) -> str:
    """Return the text of an error without the stack of Java and without the query's plan."""
    java = getattr(error, "java_exception", None)
    text = f"{type(error).__name__}: {error if java is None else java.toString()}"
    return text.partition("\n=== Streaming Query ===")[0]


def _raised(text: str) -> str:
    """Return what a function of Python raised: Spark's own condition, or the last line of the traceback."""
    if found := _condition(text.partition("[FOREACH_BATCH_USER_FUNCTION_ERROR]")[2]):
        return found
    lines = re.sub(r"\s*SQLSTATE: \w+", "", text).rstrip().splitlines()
    return _ended(next((line for line in reversed(lines) if re.match(r"[\w.]+(:|$)", line)), lines[-1]))


def _condition(text: str) -> str:
    """Return the first sentence of the innermost condition that Spark names in brackets, or ""."""
    found = [one for one in re.finditer(r"\[([A-Z][A-Z0-9_.]{3,})\] ", text) if one[1] != "STREAM_FAILED"]
    if found:
        words = re.split(r"\n|(?<=[.!]) | SQLSTATE", text[found[-1].end() :])[0]
        return f"{_ended(words)} ({found[-1][1]})"
    inner = re.search(r"terminated with exception: (.+)", text)
    return _ended(re.sub(r"\s*SQLSTATE: \w+", "", inner[1])) if inner else ""


def _ended(text: str) -> str:
    return f"{cut(text.strip(), 300).rstrip('.')}."
