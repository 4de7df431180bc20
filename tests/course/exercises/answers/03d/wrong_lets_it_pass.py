# Plausible: right when nothing goes wrong.
"""Does not know RecordTooLarge, and ends with it."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import (
    LeaderNotAvailable,
    NotEnoughReplicas,
    NotEnoughReplicasAfterAppend,
)

REASON = "let RecordTooLarge pass"


def answer(send, records):
    for record in records:
        while True:
            try:
                send(record)
                break
            except (NotEnoughReplicas, LeaderNotAvailable):
                continue
            except (NotEnoughReplicasAfterAppend, OutcomeUnknown):
                break
