"""Lets a deque drop what is too old."""

from collections import deque


def rebuild(snapshot, headers):
    epochs, windows = {}, {}
    for producer, (epoch, batches) in snapshot.items():
        epochs[producer], windows[producer] = epoch, deque(batches, maxlen=5)
    for offset, producer, epoch, first, count in headers:
        if producer is None:
            continue
        if epochs.get(producer) != epoch:
            epochs[producer], windows[producer] = epoch, deque(maxlen=5)
        windows[producer].append((offset, first, count))
    return {producer: (epochs[producer], list(windows[producer])) for producer in epochs}


def forgets(headers, place):
    cut = {who: (epoch, kept[-1:]) for who, (epoch, kept) in rebuild({}, headers[:place]).items()}
    before, after = rebuild({}, headers), rebuild(cut, headers[place:])
    return [batch[0] for who in before for batch in before[who][1] if batch not in after[who][1]]


answer = {"rebuild": rebuild, "forgets": forgets}
