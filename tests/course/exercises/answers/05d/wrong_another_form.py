"""Returns lists of batches without epochs."""

REASON = "return a dictionary"


def rebuild(snapshot, headers):
    known = {}
    for offset, producer, _, first, count in headers:
        known.setdefault(producer, []).append((offset, first, count))
    return known


def forgets(headers, place):
    cut = {who: (epoch, kept[-1:]) for who, (epoch, kept) in rebuild({}, headers[:place]).items()}
    before, after = rebuild({}, headers), rebuild(cut, headers[place:])
    return [batch[0] for who in before for batch in before[who][1] if batch not in after[who][1]]


answer = {"rebuild": rebuild, "forgets": forgets}
