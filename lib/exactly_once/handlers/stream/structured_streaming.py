"""The stream handler as the micro-batch engine of Spark Structured Streaming runs it, with two sinks.

The checkpoint says where the query is: `offsets/N` is written before the work of batch N, `commits/N` when all of it
is done, and the state has a version for each batch. A driver that finds `offsets/N` without `commits/N` runs batch N
again, with the same id, over the same rows, on the same version of the state. A driver that dies after the sink's own
commit and before `commits/N` (at D) leaves rows that the next one saves again, unless the sink knows the batch id.
Source: Apache Spark 4.2.0, MicroBatchExecution and HDFSMetadataLog.

One level below the micro-batch: a driver, tasks with retries and zombies, and what a sink makes of their writes.

An incarnation of a task's node is an attempt of the task. One that is killed is followed by a retry; one that sleeps,
by a copy, and when it wakes up it goes on as a zombie. A task sends the driver a message when it has written. There
stands the output commit coordinator: of a task's attempts the first whose message comes may commit, and the messages
of the others are thrown away. They have written by then. Sources: Apache Spark 4.2.0, WritingSparkTask and
OutputCommitCoordinator; PySpark 4.3.0, DataSourceStreamWriter.
"""

from ...errors import one_of, whole
from ...log.log_errors import ProducerFenced
from ...node.program import OUTPUT, Partition, Program, deployed_with, renamed
from ...node.source import LogSource
from ...node.world import CHECKPOINT, DATABASE
from ...pipeline import Window
from .naive import at_least_once

BATCH = "batch"  # the cell in the sink with the id of the newest batch: its version is the number of batches
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


SINK, ROWS = "sink", "rows"
SINKS = ("writes as it goes", "commits messages", "commits messages once")
TASKS, MESSAGES = Partition("tasks"), Partition("messages")
MOST = 3  # tasks and batches


def micro_batch(sink, tasks=1, batches=1):
    """Return the programs of a driver and of its tasks, for so many batches into one of `SINKS`.

    "writes as it goes": a task appends its rows to the sink. "commits messages": a task sends its rows as a message,
    and the driver makes them visible. "commits messages once": the driver saves the batch id beside them, in the same
    transaction, and does nothing if it is there. Raises `BadInput` for another sink, and for a number out of range.
    """
    one_of("the sink", sink, SINKS)
    whole("the number of tasks", tasks, least=1, most=MOST)
    whole("the number of batches", batches, least=1, most=MOST)

    def driver(node):
        checkpoint, positions = node.store(CHECKPOINT), node.start
        life = checkpoint.add("lives", 1)
        batch, _ = checkpoint.read("commits")
        while batch < batches:
            checkpoint.cas("offsets", batch, batch)  # refused if an earlier life has written it
            for task in range(tasks):
                node.output.push([life, batch, task])
            messages = {}
            while len(messages) < tasks:
                records, positions = node.read(positions)
                if not records:
                    return  # the tasks have ended, so another driver has done all
                *whose, task, rows = records[0].value
                if whose == [life, batch]:
                    messages.setdefault(task, rows)  # the first attempt may commit
            commit(node.store(SINK), messages, batch)
            if not checkpoint.cas("commits", batch, batch):
                raise ProducerFenced(f"Another driver has written commits/{batch}.")
            batch += 1

    def commit(store, messages, batch):
        visible = [("append", ROWS, row) for rows in messages.values() for row in rows]
        if sink == "commits messages":
            store.transact(*visible)
        elif sink == "commits messages once":
            store.transact(("cas", BATCH, batch, batch), *visible)

    def task(node):
        positions = node.positions.load()
        while node.running():
            records, following = node.read(positions)
            for record in records:  # one, or none at the end
                life, batch, number = record.value
                if number == node.number - 2:  # node 1 is the driver, and node 2 runs task 0
                    rows = [row_of(batch, number)]
                    if sink == "writes as it goes":
                        for row in rows:
                            node.store(SINK).append(ROWS, row)
                    node.output.push([life, batch, number, rows])
            node.positions.save(following)
            positions = following

    return [
        Program(renamed(driver, "driver"), LogSource(MESSAGES), TASKS, "driver"),
        *(Program(renamed(task, "task"), LogSource(TASKS), MESSAGES, f"task {number}") for number in range(tasks)),
    ]


def row_of(batch, task):
    """Return the row that a task computes in a batch: it says of which task and batch it is."""
    return f"batch {batch}, task {task}"


def rows_once(tasks=1, batches=1):
    """Return an invariant: no row is ever in the sink twice, and in the end each is there."""

    def rule(view):
        rows = view.look(SINK, ROWS, "log")
        twice = next((row for row in rows if rows.count(row) > 1), None)
        if twice:
            return f"the row of {twice}, is in the sink twice"
        wanted = [row_of(batch, task) for batch in range(batches) for task in range(tasks)]
        return not view.done or sorted(rows) == sorted(wanted) or f"the sink has {len(rows)} of {len(wanted)} rows"

    return rule
