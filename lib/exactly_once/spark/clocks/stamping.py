"""Lamport stamps for a log of any size, as Spark jobs: as many passes as its longest chain of messages is long.

The events lie in blocks of whole processes; a pass sends the stamps that became known in it to the blocks that wait
for them. `blocks` has what the tasks do, `stamp_locally` the same stamps by one process, for comparison.
"""

import time
from dataclasses import dataclass
from typing import Any

from ...errors import BadInput, CourseError, whole
from ..cluster.cluster import lost
from ..cluster.session import explain
from . import blocks

EVENTS_OF_A_BLOCK = 400_000  # at most; 13 MB, of which a slim executor holds several
WORTH_A_TASK = 50_000  # events; below, a task costs more than the work in it
MERGE = 16  # passes whose mail is put together, so that no task reads hundreds of small pieces
COLUMNS = ("process", "position", "kind", "message")
ROWS = (
    "coalesce(CAST(process AS BIGINT), -1) AS process",
    "coalesce(CAST(position AS BIGINT), -1) AS position",
    "CAST(coalesce(array_position(array('local', 'send', 'receive'), kind), 0) - 1 AS TINYINT) AS kind",
    "coalesce(CAST(message AS BIGINT), -1) AS message",
)
STAMPED = "process long, position long, kind string, message long, stamp long"


@dataclass(frozen=True)
class Stamping:
    """A stamped log: `events` is a Spark DataFrame (process, position, kind, message, stamp), kept on the executors.

    `passes` is how many there were, `depth` the most messages on one causal path, `count` the number of events,
    `messages` the number of messages that were received, `seconds` the duration.
    """

    events: Any
    passes: int
    depth: int
    count: int
    messages: int
    seconds: float

    def release(self):
        """Free the disk space of `events`, which cannot be read afterwards."""
        self.events.unpersist()


def stamp(log, most=1_000, progress=None):
    """Stamp every event of `log` with its Lamport stamp, in passes over blocks of processes. Returns a `Stamping`.

    log: a Spark DataFrame with a row for each event, in any order: `process` and `position` (whole numbers, the
        position being the place among the process's own events), `kind` ("local", "send", "receive"), `message` (a
        whole number, the same for the send and for its one receive; None for a local event).
    most: how many passes there may be at most; they go on until every message has its stamp.
    progress: a function that is called with a sentence after each pass.

    The cost, and its reasons. Within a process, stamps follow from the stamps that arrive (a running maximum, see
    `blocks.stamped`), so one look at a block stamps all events up to the first receive whose message has no stamp
    yet. Pass 1 stamps the events without a message in their past; pass k those with at most k - 1 messages in a row
    behind them. Chains of d messages take d + 1 passes, whether they lie among a thousand events or ten million; the
    last sends nothing.

    - Before the passes, events are shuffled once, to the block of their process, and the ends of messages once, to
      find each send the block of its receive, and that back.
    - A pass is one job of two stages. It shuffles only the stamps that became known in it, 20 bytes a message, so
    that
      all passes together shuffle each message once. It reads every block's sends and receives again, from disk: with
      n events and depth d that is O(n d) sequential reading, but O(n) traffic.
    - Stored data goes to the executors' disks, not into their small heaps. A pass stands on the blocks and the mail
      so far and on no earlier state, so that plans do not grow, and what a lost executor held is computed again.

    Seen on two cores: 0.3 s a pass at least, which is what Spark's two stages take; 10⁷ events of depth 30 take about
    260 s of processor time in all, with 1.5 GB for the whole cluster (benchmarks/stamping.py).

    A process's events must fit into a task: about two million. Raises `BadInput` for columns that are missing or of
    another type, a receive without a send, a message that is sent or received twice, a cycle; `CourseError` when
    `most` passes are not enough, or the cluster fails.
    Source: Lamport, CACM 21(7), 1978, rules IR1 and IR2; the passes are the levels of Kahn's topological sort (CACM
    5(11), 1962), with a barrier after each as in Pregel (Malewicz et al., SIGMOD 2010).
    """
    _check(log)
    whole("most", most, least=1)
    kept = []
    try:
        return _stamp(log, most, progress or (lambda sentence: None), kept)
    except CourseError:
        raise
    except Exception as why:  # PySpark raises what Java, Python and the network raise
        raise lost() or CourseError(
            f"The Spark job failed: {explain(why)} Stop the cluster with stop_cluster() and run the cell again."
        ) from why
    finally:
        for rdd in kept:
            rdd.unpersist()


def _check(log):
    types = dict(getattr(log, "dtypes", ()))
    if missing := [name for name in COLUMNS if name not in types]:
        raise BadInput(f"The log has no column {missing[0]!r}; give a Spark DataFrame with {', '.join(COLUMNS)}.")
    for name in COLUMNS:
        wanted = {"string"} if name == "kind" else {"tinyint", "smallint", "int", "bigint"}
        if types[name] not in wanted:
            what = "text" if name == "kind" else "whole numbers"
            raise BadInput(f"The column {name!r} of the log is of type {types[name]}; it holds {what}.")


def _stamp(log, most, say, kept):
    began = time.perf_counter()
    context, count = log.sparkSession.sparkContext, log.count()
    parts = max(2, min(context.defaultParallelism, count // WORTH_A_TASK), -(-count // EVENTS_OF_A_BLOCK))
    whole_blocks, posts, messages = _lay_out(log, parts, kept)
    mail, sent, number = [], 0, 0
    while sent < messages:
        number += 1
        if number > most:
            raise CourseError(
                f"After {most} passes {messages - sent:,} of {messages:,} messages have no stamp: the chains of "
                f"messages in this log are longer. Give a larger number than most={most}."
            )
        fresh = _home(context.union([posts, *mail]).mapPartitions(blocks.deliver(number)), parts)
        fresh = _keep(fresh.mapPartitions(blocks.bundle, True), kept)
        new = fresh.map(lambda record: len(record[1].stamp)).sum()
        if not new:
            raise BadInput(
                f"{messages - sent:,} messages wait for one another in a circle, so no order of time fits this log. "
                "Look for a receive that stands before its own message's cause."
            )
        sent += new
        say(f"Pass {number}: {sent:,} of {messages:,} messages have their stamps.")
        mail.append(fresh)
        if len(mail) > MERGE:
            mail = [_keep(context.union(mail).mapPartitions(blocks.bundle, True), kept)]
    pieces = context.union([whole_blocks, *mail]).mapPartitions(blocks.finish)
    events = log.sparkSession.createDataFrame(pieces, "piece binary").mapInArrow(blocks.unfold, STAMPED)
    events = events.persist(_on_disk())
    written = events.count()
    if written != count:
        raise CourseError(f"The log had {count:,} events at first and {written:,} later; persist it before stamping.")
    return Stamping(events, number + 1, number, count, messages, time.perf_counter() - began)


def _lay_out(log, parts, kept):
    """Lay the log out in blocks. Returns (blocks, their posts, how many messages are received)."""
    pieces = log.selectExpr(*ROWS).mapInArrow(blocks.cut(parts), "block int, piece binary").rdd.map(tuple)
    whole_blocks = _keep(_home(pieces, parts).mapPartitions(blocks.gather, True), kept)
    _look(whole_blocks)
    known = _home(_home(whole_blocks.mapPartitions(blocks.ends(parts)), parts).mapPartitions(blocks.meet), parts)
    posts = _keep(whole_blocks.union(known).mapPartitions(blocks.address, True), kept)
    return whole_blocks, posts, sum(_look(posts))


def _look(records):
    """Return the number of messages that go out of each block. Raises `BadInput` for an error in the log."""
    found = records.map(lambda record: blocks.summary(record[1])).collect()
    for one in found:
        if isinstance(one, blocks.Wrong):
            raise BadInput(one.sentence)
    return found


def _home(records, parts):
    """Bring records (block, anything) to their blocks: the part of the same number."""
    return records.partitionBy(parts, int)


def _keep(records, kept):
    kept.append(records.persist(_on_disk()))
    return kept[-1]


def _on_disk():
    from pyspark import StorageLevel

    return StorageLevel.DISK_ONLY
