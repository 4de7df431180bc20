# Plausible: right when one request is refused.
"""Tries a refused record once more, and no further time."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import (
    LeaderNotAvailable,
    NotEnoughReplicas,
    NotEnoughReplicasAfterAppend,
    RecordTooLarge,
)

REASON = "though the broker had said that nothing was written"


def answer(send, records):
    for record in records:
        for _ in range(2):
            try:
                send(record)
                break
            except (NotEnoughReplicas, LeaderNotAvailable):
                continue
            except (NotEnoughReplicasAfterAppend, OutcomeUnknown, RecordTooLarge):
                break
