# Plausible: right when nothing goes wrong.
"""Tries again after whatever error."""

import contextlib

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import ConcurrentTransactions, UnstableOffsetCommit

REASON = "has made 100 requests"
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
            cluster.offsets(*me, position + 1)
            me = answered(cluster.end, *me, "commit")
        except Exception:  # noqa: BLE001
            with contextlib.suppress(Exception):
                me = answered(cluster.end, *me, "abort")
