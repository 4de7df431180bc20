"""The attempts of tasks that Spark copied, as a table: the place of each attempt, its wins and its late writes."""

from collections.abc import Mapping

import pandas as pd

from ...errors import BadInput
from ...spark.run.speculation import Speculated

ENDS = {"ended": "ended", "raised": "failed", "gave up": "gave up", "killed": "killed by Spark"}


def attempts_table(results: Mapping[str, Speculated]) -> pd.DataFrame:
    """Return a row for each attempt; `results` maps a name for the handler to a result of `run_speculatively`.

    Raises `BadInput` for anything else.
    """
    if not isinstance(results, Mapping) or not all(isinstance(one, Speculated) for one in results.values()):
        raise BadInput(
            f"The results are {str(results)[:60]!r}; give a dictionary such as {{'naive': found}}, with what "
            "run_speculatively() returned."
        )
    return pd.DataFrame(
        [
            {
                "handler": name,
                "records in the output": len(one.run.pushes),
                "attempt": f"{attempt.number} ({'the task' if attempt.number == 0 else 'its copy'})",
                "host": attempt.host,
                "began after, s": f"{attempt.began:.2f}",
                "transitions won": attempt.transitions,
                "writes": attempt.writes,
                "after the other had ended": attempt.late,
                "its end": ENDS[attempt.end],
            }
            for name, one in results.items()
            for attempt in one.attempts
        ]
    )
