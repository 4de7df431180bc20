"""Keeps the last batch of each, as a snapshot does."""

REASON = "for producer 7 it does not have"


def rebuild(snapshot, headers):
    known = dict(snapshot)
    for offset, producer, epoch, first, count in headers:
        if producer is not None:
            known[producer] = (epoch, [(offset, first, count)])
    return known


def forgets(headers, place):
    cut = {who: (epoch, kept[-1:]) for who, (epoch, kept) in rebuild({}, headers[:place]).items()}
    before, after = rebuild({}, headers), rebuild(cut, headers[place:])
    return [batch[0] for who in before for batch in before[who][1] if batch not in after[who][1]]


answer = {"rebuild": rebuild, "forgets": forgets}
