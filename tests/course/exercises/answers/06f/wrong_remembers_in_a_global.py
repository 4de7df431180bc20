"""Counts in a global, which no process keeps when it dies."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import ConcurrentTransactions, InvalidProducerEpoch, UnstableOffsetCommit

REASON = "changes something outside of it"
ASK_AGAIN = (OutcomeUnknown, ConcurrentTransactions, UnstableOffsetCommit)


DONE = []


def answered(ask, *what):
    while True:
        try:
            return ask(*what)
        except ASK_AGAIN:
            pass


def answer(cluster):
    me = answered(cluster.init)
    while (record := cluster.read(len(DONE))) is not None:
        try:
            cluster.send(*me, "upper", record.upper())
            cluster.send(*me, "length", len(record))
            cluster.offsets(*me, len(DONE) + 1)
            result = "commit"
        except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
            result = "abort"
        me = answered(cluster.end, *me, result)
        DONE.extend(["done"] * (result == "commit"))
