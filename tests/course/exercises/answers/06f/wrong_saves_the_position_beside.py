"""Saves the position behind the commit, outside of the transaction."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import ConcurrentTransactions, InvalidProducerEpoch, UnstableOffsetCommit

REASON = "did not change together"
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
            cluster.send(*me, "upper", record.upper())
            cluster.send(*me, "length", len(record))
        except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
            me = answered(cluster.end, *me, "abort")
            continue
        me = answered(cluster.end, *me, "commit")
        answered(cluster.save, position + 1)
