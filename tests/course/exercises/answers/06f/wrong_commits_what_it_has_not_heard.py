# Plausible: right when nothing goes wrong.
"""Takes silence for success."""

import contextlib

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


def heard(ask, *what):
    with contextlib.suppress(OutcomeUnknown):
        ask(*what)


def answer(cluster):
    me = answered(cluster.init)
    while True:
        position = answered(cluster.position)
        record = cluster.read(position)
        if record is None:
            return
        result = "abort"
        try:
            heard(cluster.send, *me, "upper", record.upper())
            heard(cluster.send, *me, "length", len(record))
            heard(cluster.offsets, *me, position + 1)
            result = "commit"
        except (ConcurrentTransactions, InvalidProducerEpoch):
            pass
        me = answered(cluster.end, *me, result)
