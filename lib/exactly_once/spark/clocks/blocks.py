"""The work of the stamping tasks: blocks of whole processes as numpy columns, and the mail between them.

A block holds its processes' events in order. Mail holds stamps of messages for one block. Nothing here imports
PySpark.
"""

import pickle
from typing import NamedTuple

import numpy
import pyarrow

KINDS = ("local", "send", "receive")
LOCAL, SEND, RECEIVE = range(3)
NEVER = 2**31 - 1  # the pass in which a missing message arrives
CHUNK = 500_000  # rows that are handed on at a time


class Block(NamedTuple):
    """The events of some processes, sorted by process and position, as columns."""

    process: numpy.ndarray
    position: numpy.ndarray
    kind: numpy.ndarray
    message: numpy.ndarray
    index: numpy.ndarray  # type: ignore[assignment]  # the n-th event of its process, from 1


class Posts(NamedTuple):
    """The part of a block that a pass needs: its sends and receives, and the destinations of messages."""

    process: numpy.ndarray
    kind: numpy.ndarray
    message: numpy.ndarray
    index: numpy.ndarray  # type: ignore[assignment]
    to: numpy.ndarray  # the block that receives it, -1: nobody, or no send


class Mail(NamedTuple):
    """Stamps for one block: which messages carry them, and the pass in which they were sent."""

    message: numpy.ndarray
    stamp: numpy.ndarray
    number: numpy.ndarray


class Wrong(NamedTuple):
    """The error of a log, in a sentence."""

    sentence: str


def cut(blocks):
    """Return the function for `mapInArrow` that cuts a log into pieces of (block, pickled columns)."""

    def work(batches):
        waiting, rows = [], 0
        for batch in batches:
            waiting.append(batch)
            rows += batch.num_rows
            if rows >= CHUNK:
                yield from _pieces(waiting, blocks)
                waiting, rows = [], 0
        if rows:
            yield from _pieces(waiting, blocks)

    return work


def _pieces(batches, blocks):
    table = pyarrow.Table.from_batches(batches)
    columns = [table[name].to_numpy() for name in ("process", "position", "kind", "message")]
    home = columns[0] % blocks
    order = numpy.argsort(home, kind="stable")
    edges = numpy.searchsorted(home[order], numpy.arange(blocks + 1))
    for number in numpy.flatnonzero(numpy.diff(edges)):
        rows = order[edges[number] : edges[number + 1]]
        piece = pickle.dumps([column[rows] for column in columns], protocol=5)
        yield pyarrow.RecordBatch.from_arrays(
            [pyarrow.array([number], pyarrow.int32()), pyarrow.array([piece], pyarrow.binary())], ["block", "piece"]
        )


def gather(pieces):
    """Put the pieces of a block together. Yields (number, `Block`), or (number, `Wrong`)."""
    pieces = list(pieces)
    if not pieces:
        return
    number, found = pieces[0][0], [pickle.loads(piece) for _, piece in pieces]
    process, position, kind, message = (numpy.concatenate(column) for column in zip(*found, strict=True))
    order = numpy.lexsort((position, process))
    process, position = process[order], position[order]
    kind, message = kind[order], message[order]
    if wrong := _wrong(process, position, kind, message):
        yield number, Wrong(wrong)
        return
    first = numpy.flatnonzero(numpy.r_[True, process[1:] != process[:-1]])
    lengths = numpy.diff(numpy.r_[first, len(process)])
    index = numpy.arange(1, len(process) + 1) - numpy.repeat(first, lengths)
    yield number, Block(process, position, kind, message, index)


def _wrong(process, position, kind, message):
    """Return the sentence for the first event that makes no sense, or None."""
    twice = numpy.r_[False, (process[1:] == process[:-1]) & (position[1:] == position[:-1])]
    for odd, words in (
        (process < 0, "belongs to no process; number the processes from 0"),
        (position < 0, "has no position; number the events of each process from 1"),
        (kind < 0, "is of no kind; it can be local, send or receive"),
        ((kind != LOCAL) & (message < 0), "names no message; give each message a number of at least 0"),
        (twice, "stands where another event stands; give each a position of its own"),
    ):
        if odd.any():
            at = odd.argmax()
            return f"The event at position {position[at]} of process {process[at]} {words}."
    return None


def summary(value):
    """Return the driver's summary of a record: `Wrong`, or the number of outgoing messages."""
    if isinstance(value, Wrong):
        return value
    return int((value.to >= 0).sum()) if isinstance(value, Posts) else 0


def ends(blocks):
    """Return the function that sends each message's name to where its two ends meet: (place, (kind, block,
    names)).
    """

    def work(records):
        for number, block in records:
            for kind in (SEND, RECEIVE):
                names = block.message[block.kind == kind]
                for place, rows in _sorted_out(names % blocks):
                    yield place, (kind, number, names[rows])

    return work


def _sorted_out(places):
    """Yield (place, rows) for each value among `places`."""
    if not len(places):
        return
    order = numpy.argsort(places, kind="stable")
    found, first = numpy.unique(places[order], return_index=True)
    yield from zip(found.tolist(), numpy.split(order, first[1:]), strict=True)


def meet(records):
    """Bring sends and receives of the same messages together. Yields (sender's block, (names, receivers' blocks))."""
    sides = {SEND: ([], []), RECEIVE: ([], [])}
    for _, (kind, number, names) in records:
        sides[kind][0].append(names)
        sides[kind][1].append(numpy.full(len(names), number))
    if not sides[SEND][0] and not sides[RECEIVE][0]:
        return
    empty = numpy.empty(0, numpy.int64)
    (sent, homes), (got, to) = (
        [numpy.concatenate([empty, *column]) for column in sides[kind]] for kind in (SEND, RECEIVE)
    )
    for names, verb in ((sent, "sent"), (got, "received")):
        found, times = numpy.unique(names, return_counts=True)
        if len(twice := found[times > 1]):
            yield (
                0,
                Wrong(f"Message {twice[0]} is {verb} {times.max()} times; give each delivery a number of its own."),
            )
            return
    if len(lone := numpy.setdiff1d(got, sent, assume_unique=True)):
        yield 0, Wrong(f"Message {lone[0]} is received and never sent; a log holds both ends of what was received.")
        return
    names, mine, theirs = numpy.intersect1d(sent, got, assume_unique=True, return_indices=True)
    homes, to = homes[mine], to[theirs]
    for home, rows in _sorted_out(homes):
        yield home, (names[rows], to[rows])


def address(records):
    """Write on each send of a block where it goes. Yields (number, `Posts`), or passes on (number, `Wrong`)."""
    number, block, known = None, None, []
    for key, value in records:
        if isinstance(value, Wrong):
            yield key, value
            return
        if isinstance(value, Block):
            number, block = key, value
        else:
            known.append(value)
    if block is None:
        return
    rows = block.kind != LOCAL
    kind, message = block.kind[rows], block.message[rows]
    to = numpy.full(len(kind), -1, numpy.int32)
    if known:
        names, places = (numpy.concatenate(column) for column in zip(*known, strict=True))
        sends = numpy.flatnonzero(kind == SEND)
        to[sends[_rows_of(names, message[sends])]] = places
    yield number, Posts(block.process[rows], kind, message, block.index[rows], to)


def _rows_of(names, among):
    """Return where in `among` each of the names stands."""
    order = numpy.argsort(among)
    return order[numpy.searchsorted(among, names, sorter=order)]


def deliver(number):
    """Return the function of a pass: stamps the sends that wait for nothing more; yields (block, `Mail`) for
    others.
    """

    def work(records):
        posts, mail = _opened(records)
        if posts is None:
            return
        stamp, level = stamped(posts, mail)
        ready = numpy.flatnonzero((posts.kind == SEND) & (level == number - 1) & (posts.to >= 0))
        for place, rows in _sorted_out(posts.to[ready]):
            rows = ready[rows]
            yield place, Mail(posts.message[rows], stamp[rows], numpy.full(len(rows), number, numpy.int32))

    return work


def bundle(records):
    """Put the mail of a pass for one block into one piece."""
    records = list(records)
    if records:
        yield records[0][0], _joined([mail for _, mail in records])


def finish(records):
    """Stamp all events of a block. Yields rows as Arrow's bytes."""
    block, mail = _opened(records)
    if block is None:
        return
    stamp, _ = stamped(block, mail)
    for start in range(0, len(stamp), CHUNK):
        rows = slice(start, start + CHUNK)
        table = pyarrow.table(
            {
                "process": block.process[rows],
                "position": block.position[rows],
                "kind": pyarrow.array(numpy.array(KINDS, object)[block.kind[rows]], pyarrow.string()),
                "message": pyarrow.array(block.message[rows], mask=block.kind[rows] == LOCAL),
                "stamp": stamp[rows],
            }
        )
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=20_000)
        yield (sink.getvalue().to_pybytes(),)


def unfold(batches):
    """Make rows of the output of `finish`, for `mapInArrow`."""
    for batch in batches:
        for piece in batch.column(0):
            yield from pyarrow.ipc.open_stream(piece.as_buffer())


def _opened(records):
    """Return the contents of a partition: the block or its posts, and all mail for it, joined."""
    block, mail = None, []
    for _, value in records:
        if isinstance(value, Mail):
            mail.append(value)
        else:
            block = value
    return block, _joined(mail)


def _joined(mail):
    empty = Mail(*(numpy.empty(0, numpy.int64) for _ in range(3)))
    return Mail(*(numpy.concatenate(column) for column in zip(empty, *mail, strict=True)))


def stamped(block, mail):
    """Return each event's Lamport stamp and its level: the pass before which all messages in its past were sent.

    On one process, Lamport's rules in closed form: C(i) = i + max(0, max over receives j ≤ i of T(j) + 1 - j), where
    i is the i-th event and T(j) is the stamp that the message received in event j carries. A message that has not
    arrived has level `NEVER`, and so have all later events of its process: their stamps mean nothing yet.
    """
    gain, level = numpy.zeros(len(block.kind), numpy.int64), numpy.zeros(len(block.kind), numpy.int64)
    received = numpy.flatnonzero(block.kind == RECEIVE)
    level[received] = NEVER
    if len(mail.message):
        rows = received[_rows_of(mail.message, block.message[received])]
        gain[rows] = numpy.maximum(mail.stamp + 1 - block.index[rows], 0)
        level[rows] = mail.number
    return block.index + _running(gain, block.process), _running(level, block.process)


def _running(values, process):
    """Return the running maximum of `values` (none negative), which begins anew with each process."""
    if not len(values):
        return values
    lift = numpy.cumsum(numpy.r_[0, process[1:] != process[:-1]]) * (int(values.max()) + 1)
    return numpy.maximum.accumulate(values + lift) - lift
