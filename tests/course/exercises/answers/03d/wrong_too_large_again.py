"""Sends again a record that never fits."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import (
    LeaderNotAvailable,
    NotEnoughReplicas,
    NotEnoughReplicasAfterAppend,
    RecordTooLarge,
)

REASON = "A record that is too large never fits"


def answer(send, records):
    for record in records:
        while True:
            try:
                send(record)
                break
            except (NotEnoughReplicas, LeaderNotAvailable, RecordTooLarge):
                continue
            except (NotEnoughReplicasAfterAppend, OutcomeUnknown):
                break
