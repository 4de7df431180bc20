"""Takes all records into one transaction, offsets first."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import ConcurrentTransactions, InvalidProducerEpoch, UnstableOffsetCommit

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
        position = first = answered(cluster.position)
        try:
            while (record := cluster.read(position)) is not None:
                position += 1
                cluster.offsets(*me, position)
                cluster.send(*me, "upper", record.upper())
                cluster.send(*me, "length", len(record))
        except (OutcomeUnknown, ConcurrentTransactions, InvalidProducerEpoch):
            me = answered(cluster.end, *me, "abort")
            continue
        if position == first:
            return
        me = answered(cluster.end, *me, "commit")
