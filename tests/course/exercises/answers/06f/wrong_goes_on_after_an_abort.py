# Plausible: right when nothing goes wrong.
"""Takes the next record after an abort, as a consumer does whose position nobody sets back."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import ConcurrentTransactions, InvalidProducerEpoch, UnstableOffsetCommit

REASON = "Nothing but a refusal of its epoch is a reason to stop"
ASK_AGAIN = (OutcomeUnknown, ConcurrentTransactions, UnstableOffsetCommit)


def answered(ask, *what):
    while True:
        try:
            return ask(*what)
        except ASK_AGAIN:
            pass


def answer(cluster):
    me = answered(cluster.init)
    position = answered(cluster.position)
    while (record := cluster.read(position)) is not None:
        position += 1
        try:
            cluster.send(*me, "upper", record.upper())
            cluster.send(*me, "length", len(record))
            cluster.offsets(*me, position)
            result = "commit"
        except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
            result = "abort"
        me = answered(cluster.end, *me, result)
