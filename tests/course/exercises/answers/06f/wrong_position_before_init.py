# Plausible: right when nothing goes wrong.
"""Asks for the position before init, and counts on from there."""

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
    position = answered(cluster.position)
    me = answered(cluster.init)
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
