"""Takes producer 0 for no producer."""

REASON = "it knows nothing of producer 0"


def rebuild(snapshot, headers):
    known = dict(snapshot)
    for offset, producer, epoch, first, count in headers:
        if producer:
            before, batches = known.get(producer, (epoch, []))
            kept = batches if before == epoch else []
            known[producer] = (epoch, [*kept, (offset, first, count)][-5:])
    return known


def forgets(headers, place):
    cut = {who: (epoch, kept[-1:]) for who, (epoch, kept) in rebuild({}, headers[:place]).items()}
    before, after = rebuild({}, headers), rebuild(cut, headers[place:])
    return [batch[0] for who in before for batch in before[who][1] if batch not in after[who][1]]


answer = {"rebuild": rebuild, "forgets": forgets}
