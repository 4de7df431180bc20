"""Commits each output by itself."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import ConcurrentTransactions, UnstableOffsetCommit

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
        cluster.send(*me, "upper", record.upper())
        me = answered(cluster.end, *me, "commit")
        cluster.send(*me, "length", len(record))
        cluster.offsets(*me, position + 1)
        me = answered(cluster.end, *me, "commit")
