"""Goes on with the epoch of init."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import ConcurrentTransactions, InvalidProducerEpoch, UnstableOffsetCommit

REASON = "and nothing had happened to it: its requests were refused"
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
        result = "abort"
        try:
            cluster.send(*me, "upper", record.upper())
            cluster.send(*me, "length", len(record))
            cluster.offsets(*me, position + 1)
            result = "commit"
        except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
            pass
        answered(cluster.end, *me, result)
