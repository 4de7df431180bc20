"""Gives up when there is no leader."""

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
        while True:
            try:
                send(record)
                break
            except NotEnoughReplicas:
                continue
            except (LeaderNotAvailable, NotEnoughReplicasAfterAppend, OutcomeUnknown, RecordTooLarge):
                break
