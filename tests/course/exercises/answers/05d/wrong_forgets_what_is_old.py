# Plausible: rebuild is right.
"""Names what the window had dropped before."""

REASON = "was not recognised before the restart either"


def rebuild(snapshot, headers):
    known = dict(snapshot)
    for offset, producer, epoch, first, count in headers:
        if producer is not None:
            before, batches = known.get(producer, (epoch, []))
            kept = batches if before == epoch else []
            known[producer] = (epoch, [*kept, (offset, first, count)][-5:])
    return known


def forgets(headers, place):
    cut = {who: (epoch, kept[-1:]) for who, (epoch, kept) in rebuild({}, headers[:place]).items()}
    after = rebuild(cut, headers[place:])
    known = {batch[0] for _, batches in after.values() for batch in batches}
    return [header[0] for header in headers if header[1] is not None and header[0] not in known]


answer = {"rebuild": rebuild, "forgets": forgets}
