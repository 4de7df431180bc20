"""Real processes at one queue, as a table: the pushes of the others while one stood still."""

import pandas as pd

from ...errors import BadInput
from ...lockfree.contention import CAS, STEP, Contention

QUEUES = {CAS: "lock-free", "lock": "behind a lock"}
STOPPED = {None: "nobody is stopped", STEP: "stopped at a step", "transaction": "stopped in a transaction"}


def contention_table(results: list[Contention]) -> pd.DataFrame:
    """Return results of `contend` as a table: the settings of each run, the pushes of the others while one stood
    still, the seconds. Raises `BadInput` for anything else.
    """
    return pd.DataFrame(
        [
            {
                "queue": QUEUES[one.queue],
                "processes": one.processes,
                "one of them is": STOPPED[one.stopped].replace("nobody is stopped", "–"),
                "stood still, s": "–" if one.still is None else f"{one.still[1] - one.still[0]:.2f}",
                "pushes of the others meanwhile": "–" if one.still is None else str(one.meanwhile),
                "all ended after, s": f"{one.seconds:.2f}",
            }
            for one in _checked(results)
        ]
    )


def _checked(results: object) -> list[Contention]:
    found = [results] if isinstance(results, Contention) else results
    if not isinstance(found, (list, tuple)) or not found or not all(isinstance(one, Contention) for one in found):
        raise BadInput(f"The results are {str(results)[:60]!r}; give what contend() returned, once or as a list.")
    return list(found)
