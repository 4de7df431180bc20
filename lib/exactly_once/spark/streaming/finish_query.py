"""Run a streaming query to its end, and say in one sentence why it failed: Spark's own text is a page of plans."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from ...errors import CourseError, cut, in_one_line

if TYPE_CHECKING:
    from pyspark.sql.streaming import DataStreamWriter, StreamingQuery

SENTENCES = (  # what stands in the text of an error, and what it means; {0} is what the brackets have found
    (r"concurrently using (\S+?)\.? ",
     "Another query writes to the same checkpoint: this one found it out at the log {0}, where it failed. What its "
     "sink had written by then stays."),
    (r"Multiple streaming jobs detected for (\d+)",
     "Another query writes to the same checkpoint: this one found it out at batch {0}, which was in the log already, "
     "and failed. What its sink had written by then stays."),
    (r"Py4JNetworkError|ConnectionRefusedError|Answer from Java side is empty",
     "Spark's Java process ended, or was stopped, in the middle of the query. Its checkpoint is as it was left."),
)  # fmt: skip
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
    java = getattr(error, "java_exception", None)
    text = f"{type(error).__name__}: {error if java is None else java.toString()}".partition("\n=== Streaming")[0]
    for pattern, sentence in SENTENCES:
        if found := re.search(pattern, text):
            return sentence.format(*(part.removeprefix("file:") for part in found.groups()))
    return f"The query failed: {_condition(text) or _ended(in_one_line(error))}"


def quiet() -> None:
    """Keep PySpark from printing an error that it raises as well: its whole stack, in one line of JSON."""
    for name in NOISY:
        logging.getLogger(name).disabled = True


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
