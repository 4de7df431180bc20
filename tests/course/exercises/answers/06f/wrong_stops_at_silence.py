# Plausible: right when nothing goes wrong.
"""Leaves every error to the next life."""

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
    me = cluster.init()
    while (record := cluster.read(position := cluster.position())) is not None:
        cluster.send(*me, "upper", record.upper())
        cluster.send(*me, "length", len(record))
        cluster.offsets(*me, position + 1)
        me = cluster.end(*me, "commit")
