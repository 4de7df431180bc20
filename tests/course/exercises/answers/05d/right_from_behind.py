"""Reads each producer's headers from the newest to the oldest, and forgets as a set."""


def rebuild(snapshot, headers):
    known = {}
    for who in {*snapshot, *(header[1] for header in headers)} - {None}:
        mine = [header for header in headers if header[1] == who]
        epoch = mine[-1][2] if mine else snapshot[who][0]
        new = [(offset, first, count) for offset, _, of, first, count in mine if of == epoch]
        old = snapshot[who][1] if who in snapshot and snapshot[who][0] == epoch else []
        known[who] = (epoch, (list(old) + new)[-5:])
    return known


def offsets(known):
    return {batch[0] for _, batches in known.values() for batch in batches}


def forgets(headers, place):
    cut = {who: (epoch, [kept[-1]]) for who, (epoch, kept) in rebuild({}, headers[:place]).items()}
    return offsets(rebuild({}, headers)) - offsets(rebuild(cut, headers[place:]))


answer = {"rebuild": rebuild, "forgets": forgets}
