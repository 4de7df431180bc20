# Plausible: rebuild is right.
"""Forgets four batches, whatever lies behind the snapshot."""

REASON = "a retry of that batch is recognised after the restart, too"


def rebuild(snapshot, headers):
    known = dict(snapshot)
    for offset, producer, epoch, first, count in headers:
        if producer is not None:
            before, batches = known.get(producer, (epoch, []))
            kept = batches if before == epoch else []
            known[producer] = (epoch, [*kept, (offset, first, count)][-5:])
    return known


def forgets(headers, place):
    return [batch[0] for _, batches in rebuild({}, headers).values() for batch in batches[:-1]]


answer = {"rebuild": rebuild, "forgets": forgets}
