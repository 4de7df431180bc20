# Plausible: right when nothing goes wrong.
"""Sends again until it is answered."""

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
    while True:
        position = answered(cluster.position)
        record = cluster.read(position)
        if record is None:
            return
        try:
            answered(cluster.send, *me, "upper", record.upper())
            answered(cluster.send, *me, "length", len(record))
            answered(cluster.offsets, *me, position + 1)
            result = "commit"
        except InvalidProducerEpoch:
            result = "abort"
        me = answered(cluster.end, *me, result)
