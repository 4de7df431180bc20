# Plausible: right when nothing goes wrong.
"""Reads InvalidTxnState as: it has ended already."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import (
    ConcurrentTransactions,
    InvalidProducerEpoch,
    InvalidTxnState,
    UnstableOffsetCommit,
)

REASON = "not done"
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
        try:
            cluster.send(*me, "upper", record.upper())
            cluster.send(*me, "length", len(record))
            cluster.offsets(*me, position + 1)
            result = "commit"
        except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
            result = "abort"
        try:
            me = answered(cluster.end, *me, result)
        except InvalidTxnState:
            result = "commit"
        position += result == "commit"
