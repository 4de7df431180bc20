"""Calls itself for what was refused."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import (
    LeaderNotAvailable,
    NotEnoughReplicas,
    NotEnoughReplicasAfterAppend,
    RecordTooLarge,
)


def answer(send, records):
    if not records:
        return
    first, *others = records
    try:
        send(first)
    except (NotEnoughReplicas, LeaderNotAvailable):
        others = records
    except (NotEnoughReplicasAfterAppend, OutcomeUnknown, RecordTooLarge):
        pass
    answer(send, others)
