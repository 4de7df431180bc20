"""Goes through the records in rounds, and keeps for the next round what was refused."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import (
    LeaderNotAvailable,
    NotEnoughReplicas,
    NotEnoughReplicasAfterAppend,
    RecordTooLarge,
)


def answer(send, records):
    while records:
        refused = []
        for record in records:
            try:
                send(record)
            except (NotEnoughReplicas, LeaderNotAvailable):
                refused.append(record)
            except (NotEnoughReplicasAfterAppend, OutcomeUnknown, RecordTooLarge):
                continue
        records = refused
