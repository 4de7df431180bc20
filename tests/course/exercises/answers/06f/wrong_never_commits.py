"""Forgets to commit."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import ConcurrentTransactions, UnstableOffsetCommit

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
    for position in range(2):
        record = cluster.read(position)
        cluster.send(*me, "upper", record.upper())
        cluster.send(*me, "length", len(record))
        cluster.offsets(*me, position + 1)
