"""Leaves the position out."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import ConcurrentTransactions, UnstableOffsetCommit

REASON = "the committed position is 0"
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
        cluster.send(*me, "upper", record.upper())
        cluster.send(*me, "length", len(record))
        me = answered(cluster.end, *me, "commit")
        position += 1
