"""A partition with transactions, as a list of entries, and its view under read_committed (for 06b).

An entry is (kind, producer, value): ("data", None, "tea") is a record outside of any transaction, and
("data", "a", "tea") one of producer a's transaction; ("commit", "a", None) and ("abort", "a", None) end it. Its
offset is its place in the list. The rules are those of the course's own log, against which the tests hold them.
"""

from typing import NamedTuple

DATA, COMMIT, ABORT = "data", "commit", "abort"
PRODUCERS = ("a", "b")
TEXTS = ("tea", "milk", "sugar", "cake")
SIGNS = {COMMIT: "■ commit", ABORT: "✗ abort"}


class Transaction(NamedTuple):
    """One transaction in a log: its producer, its first offset, and its end and the end's offset, or None."""

    producer: str
    first: int
    result: str | None = None
    marker: int | None = None


def transactions(log):
    """Return the transactions of a log, in the order in which they begin."""
    found, opened = [], {}
    for offset, (kind, producer, _) in enumerate(log):
        if kind != DATA:
            place = opened.pop(producer)
            found[place] = found[place]._replace(result=kind, marker=offset)
        elif producer is not None and producer not in opened:
            opened[producer] = len(found)
            found.append(Transaction(producer, offset))
    return found


def last_stable(log, high):
    """Return the first offset that read_committed does not show; `high` is the high watermark."""
    undecided = [one.first for one in transactions(log) if one.marker is None or one.marker >= high]
    return min([high, *undecided])


def owner(log, offset):
    """Return the transaction that the record at an offset belongs to, or None."""
    producer = log[offset][1]
    mine = [one for one in transactions(log) if one.producer == producer and one.first <= offset]
    return mine[-1] if producer is not None else None


def visible(log, high):
    """Return the records of a log visible under read_committed, as (offset, value)."""
    return [
        (offset, log[offset][2])
        for offset in range(last_stable(log, high))
        if log[offset][0] == DATA and ((of := owner(log, offset)) is None or of.result == COMMIT)
    ]


def logs(longest):
    """Return every log up to a number of entries, the shortest first; a is the first producer, and b the second."""
    found, newest = [()], [()]
    for _ in range(longest):
        newest = [(*log, entry) for log in newest for entry in grown(log)]
        found += newest
    return found


def grown(log):
    """Return the entries that may come next in a log."""
    value = TEXTS[len(log)]
    seen = {producer for _, producer, _ in log}
    known = [each for each in PRODUCERS if each == PRODUCERS[0] or seen & set(PRODUCERS)]
    opened = [one.producer for one in transactions(log) if one.marker is None]
    return [
        (DATA, None, value),
        *((DATA, producer, value) for producer in known),
        *((result, producer, None) for producer in opened for result in (COMMIT, ABORT)),
    ]


def tape(log, title="the log"):
    """Return a log as `show.log` takes it."""
    return {title: [(producer or "–", SIGNS.get(kind, value)) for kind, producer, value in log]}
