# Plausible: right while no epoch ends.
"""Keeps the batches of the older epoch."""

REASON = "A new epoch begins with 0 and an empty window"


def rebuild(snapshot, headers):
    known = dict(snapshot)
    for offset, producer, epoch, first, count in headers:
        if producer is not None:
            _, batches = known.get(producer, (epoch, []))
            known[producer] = (epoch, [*batches, (offset, first, count)][-5:])
    return known


def forgets(headers, place):
    cut = {who: (epoch, kept[-1:]) for who, (epoch, kept) in rebuild({}, headers[:place]).items()}
    before, after = rebuild({}, headers), rebuild(cut, headers[place:])
    return [batch[0] for who in before for batch in before[who][1] if batch not in after[who][1]]


answer = {"rebuild": rebuild, "forgets": forgets}
