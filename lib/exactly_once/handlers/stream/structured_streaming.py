"""The stream handler as the micro-batch engine of Spark Structured Streaming runs it, with two sinks.

The checkpoint says where the query is: `offsets/N` is written before the work of batch N, `commits/N` when all of it
is done, and the state has a version for each batch. A driver that finds `offsets/N` without `commits/N` runs batch N
again, with the same id, over the same rows, on the same version of the state. A driver that dies after the sink's own
commit and before `commits/N` (at D) leaves rows that the next one saves again, unless the sink knows the batch id.
Source: Apache Spark 4.2.0, MicroBatchExecution and HDFSMetadataLog.
"""

from ...log.errors import ProducerFenced
from ...node.program import OUTPUT, deployed_with
from ...node.world import CHECKPOINT, DATABASE
from ...pipeline import Window
from .at_least_once import at_least_once

BATCH = "batch"  # the cell in the database with the id of the newest batch: its version is the number of batches
CONCURRENT = "Concurrent update to the log. Multiple streaming jobs detected for batch {}."


def micro_batches(node, save):
    """Run the query batch by batch: the average of each hour's window, and whether the window is to be counted.

    Of each log the store keeps as much as a restart reads: of `offsets` and of `state` the two newest entries, of
    `commits` the newest. The version of the cell is the number of entries, so each entry can be written once.
    """
    checkpoint = node.store(CHECKPOINT)
    logged, (start, end) = entries(checkpoint, "offsets", node.start)
    committed, _ = checkpoint.read("commits")
    batch = logged - 1 if committed < logged else logged  # the newest one is run again if it was not committed
    if batch == logged:
        start, end = end, None
    versions, (before, after) = entries(checkpoint, "state", Window())
    window = before if versions > batch else after
    while node.running(start):
        if end is None:
            _, end = node.read(start)  # the source says how far the batch can go
            node.crash_point("A")
            add(checkpoint, "offsets", batch, [start, end])
        node.crash_point("B")
        rows, _ = node.read(start, end)
        before, window = window, Window([*window.readings, *rows])
        window.trim(node.duration)
        checkpoint.cas("state", batch, [before, window])  # refused in a replay that finds this version
        node.crash_point("C")
        save(node, batch, window.average(), len(window) > node.threshold)
        node.crash_point("D")
        add(checkpoint, "commits", batch, batch)
        node.crash_point("E")
        batch, start, end = batch + 1, end, None


def entries(checkpoint, log, first):
    """Return (how many entries a log of the checkpoint has, the newest two); `first` stands before the first."""
    version, newest = checkpoint.read(log)
    return version, newest or [first, first]


def add(checkpoint, log, batch, entry):
    """Write the entry of a batch, which nobody has written: another driver on this checkpoint is found out here."""
    if not checkpoint.cas(log, batch, entry):
        raise ProducerFenced(CONCURRENT.format(batch))


def save_once(node, batch, average, counted):
    """Save the rows of a batch and its id in one transaction, unless the database has this id already."""
    node.database.transact(("cas", BATCH, batch, batch), *saved_rows(average, counted))


def append_rows(node, batch, average, counted):
    """Save the rows of a batch in one transaction, without the batch id."""
    node.database.transact(*saved_rows(average, counted))


def saved_rows(average, counted):
    """Return the writes of a batch: a row with the average, and one more on the counter if the window is counted."""
    return [("append", OUTPUT, average), *([("add", "counter", 1)] if counted else [])]


@deployed_with(
    None, at_least_once, micro_batches, protocol=None, checkpoint=CHECKPOINT, own=((DATABASE, BATCH),)
)  # fmt: skip
def structured_streaming(node):
    """Run the query with a sink that keeps the batch id beside its rows, in one transaction."""
    micro_batches(node, save_once)


@deployed_with(None, at_least_once, micro_batches, protocol=None, checkpoint=CHECKPOINT)
def structured_streaming_appending(node):
    """Run the query with a sink that appends what it is given."""
    micro_batches(node, append_rows)
