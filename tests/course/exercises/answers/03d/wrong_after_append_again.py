"""Takes NotEnoughReplicasAfterAppend for a refusal."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import (
    LeaderNotAvailable,
    NotEnoughReplicas,
    NotEnoughReplicasAfterAppend,
    RecordTooLarge,
)

REASON = "record 'a' is in the log twice"


def answer(send, records):
    for record in records:
        while True:
            try:
                send(record)
                break
            except (NotEnoughReplicas, NotEnoughReplicasAfterAppend, LeaderNotAvailable):
                continue
            except (OutcomeUnknown, RecordTooLarge):
                break
