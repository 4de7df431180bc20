# Plausible: right when nothing goes wrong.
"""Begins with the first record in every life."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import ConcurrentTransactions, InvalidProducerEpoch, UnstableOffsetCommit

REASON = "twice"
ASK_AGAIN = (OutcomeUnknown, ConcurrentTransactions, UnstableOffsetCommit)


def answered(ask, *what):
    while True:
        try:
            return ask(*what)
        except ASK_AGAIN:
            pass


def answer(cluster):
    me = answered(cluster.init)
    position = 0
    while (record := cluster.read(position)) is not None:
        try:
            cluster.send(*me, "upper", record.upper())
            cluster.send(*me, "length", len(record))
            cluster.offsets(*me, position + 1)
            result = "commit"
        except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
            result = "abort"
        me = answered(cluster.end, *me, result)
        position += result == "commit"
