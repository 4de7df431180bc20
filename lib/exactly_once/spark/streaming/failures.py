"""Why a streaming query failed, in a sentence: Spark says it in a hundred lines, with plans and stacks of calls."""

from __future__ import annotations

import re

from ...errors import cut
from ..cluster.session import explain

FRONT = re.compile(r"^\[\w+\] Query \[id = .*?\] terminated with exception: ", re.DOTALL)
LOST = re.compile(
    r"Task (\d+) in stage [\d.]+ failed (\d+) times?, most recent failure: .*?\): (?:[\w.$]+: )*(.*?[.)])(?: |$)"
)
TRACEBACK = "Traceback (most recent call last):"
LONGEST = 400  # characters
SAID = {  # what Spark's errors mean for the one who runs a query
    "CONCURRENT_STREAM_LOG_UPDATE": "Another query runs on the same checkpoint. Give each query one of its own.",
    "STREAMING_CHECKPOINT": "The checkpoint is not that of this query. Give the query its own, or an empty folder.",
    "MISSING_METADATA": "The checkpoint has logs but no metadata: it is not whole. Restore it, or take an empty folder.",
}


def why_it_failed(why: BaseException) -> str:
    """Return the failure of a query in a sentence, without Spark's plans and stacks of calls."""
    said = FRONT.sub("", str(why).strip())
    if python := _python_error(said):
        return cut(f"Its Python code raised {python}.", LONGEST)
    if lost := LOST.search(said.partition("\n")[0]):
        return cut(f"Task {lost[1]} failed {lost[2]} times, the last time so: {lost[3]}", LONGEST)
    return cut(next((words for sign, words in SAID.items() if sign in said), explain(ValueError(said))), LONGEST)


def _python_error(said: str) -> str:
    """Return the line that names the error in the last traceback of Python's, or ""."""
    _, found, lines = said.rpartition(TRACEBACK)
    return (
        next((line.strip().rstrip(".") for line in lines.splitlines()[1:] if line[:1].strip()), "") if found else ""
    )
