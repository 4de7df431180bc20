"""One level below the micro-batch: a driver, tasks with retries and zombies, and what a sink makes of their writes.

An incarnation of a task's node is an attempt of the task. One that is killed is followed by a retry; one that sleeps,
by a copy, and when it wakes up it goes on as a zombie. A task sends the driver a message when it has written. There
stands the output commit coordinator: of a task's attempts the first whose message comes may commit, and the messages
of the others are thrown away. They have written by then. Sources: Apache Spark 4.2.0, WritingSparkTask and
OutputCommitCoordinator; PySpark 4.3.0, DataSourceStreamWriter.
"""

from ...errors import one_of, whole
from ...log.errors import ProducerFenced
from ...node.program import Partition, Program, renamed
from ...node.source import LogSource
from ...node.world import CHECKPOINT

SINK, ROWS, BATCH = "sink", "rows", "batch"
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
