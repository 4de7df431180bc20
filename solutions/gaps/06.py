# %% id="gap-06-after-abort"
def pipeline(consumer, producer, work):
    while records := consumer.poll(2):
        producer.begin_transaction()
        try:
            for record in records:
                producer.send("output-0", [work(record.value)])
            offsets = {"readings-0": consumer.position()}
            producer.send_offsets_to_transaction(offsets, "averages")
            producer.commit_transaction()
        except ValueError:
            ### BEGIN SOLUTION
            producer.abort_transaction()
            consumer.seek(0, records[0].offset)
            ### END SOLUTION


again = gap("06-after-abort", pipeline)

# %% [markdown] id="gap-06-after-abort-hints" tags=["hints"]
# ### after an abort
#
# 1. After the failure two things are wrong: a transaction is open, and the consumer has passed records that nobody
#    has worked on.
# 2. The producer ends the open transaction by an abort. The abort does not move the consumer: at which offset did
#    these records begin?
# 3. Call the producer first and the consumer second: end the open transaction, then move the consumer with
#    `consumer.seek` to the offset of the first record of this transaction. The consumer has one partition, number
#    0.

# %% id="gap-06-could-show"
def could_show(store, seen):
    """Tell whether a reader may see these transactions, in this order."""
    ### BEGIN SOLUTION
    return store.committed[: len(seen)] == tuple(seen)
    ### END SOLUTION


lagging = gap("06-could-show", could_show)

# %% [markdown] id="gap-06-could-show-hints" tags=["hints"]
# ### what readers may see
#
# 1. Markers arrive one after the other. Three transactions are committed in the order 1.1, 1.2, 2.1. Which of them
#    can a partition show while some markers are still on their way, and which combinations never?
# 2. A partition may show none of them, 1.1, then 1.1 and 1.2, then all three. So the length of `seen` says which
#    part of `store.committed` to compare with.
# 3. A partition shows the transactions in their order and without a gap, so `seen` must be a beginning of
#    `store.committed`. Cut `store.committed` to the length of `seen`, and compare. The comparison needs two tuples.

# %% id="gap-06-shown"
def shown(entries, aborted):
    values, hidden, waiting = [], set(), list(aborted)
    for offset, producer, kind, value in entries:
        ### BEGIN SOLUTION
        while waiting and waiting[0][1] <= offset:
            hidden.add(waiting.pop(0)[0])
        if kind == "abort":
            hidden.discard(producer)
        elif kind == "record" and producer not in hidden:
            values.append(value)
        ### END SOLUTION
    return values


reader = gap("06-shown", shown)

# %% [markdown] id="gap-06-shown-hints" tags=["hints"]
# ### a reader that leaves out aborted records
#
# 1. A producer has one transaction at a time in a partition. From which offset on are its records hidden, and
#    which entry ends the hiding?
# 2. Before each entry: every pair of `waiting` whose first offset is not above `offset` puts its producer into
#    `hidden`, and leaves `waiting`. An abort marker takes its producer out of `hidden` again.
# 3. The order of three steps decides. First move every pair that concerns this offset from `waiting` to `hidden`;
#    there may be several. Then let an abort marker free its producer, with `hidden.discard`. Last, take the value
#    of a record if its producer is not in `hidden`. A commit marker changes nothing.

# %% id="gap-06-surplus"
def surplus(step, kind):
    ### BEGIN SOLUTION
    if step == "database.increment":
        return 1 if kind in ("crash after", "lost reply") else 0
    dies_uncommitted = {
        ("transaction.offsets", "crash before"),
        ("transaction.offsets", "crash after"),
        ("transaction.end", "crash before"),
    }
    return 1 if (step, kind) in dies_uncommitted else 0
    ### END SOLUTION


counting = gap("06-surplus", surplus)

# %% [markdown] id="gap-06-surplus-hints" tags=["hints"]
# ### the counter's surplus
#
# 1. Two questions decide each case: had the counter gone up when the fault struck? And will the hour be done again?
# 2. The hour is done again if the process ends before the commit is decided. A lost message of a transaction ends
#    no process: the client repeats the request. A lost message of `database.increment` ends the process, since
#    nobody can tell whether the counter went up.
# 3. Treat the counter's step by itself: there the process ends with every fault, and the question is whether the
#    counter had gone up. For the transaction's steps the counter has gone up already: only a crash before the
#    decision makes the process do the hour again, and the decision is taken by `transaction.end`.

# %% id="gap-06-together"
from exactly_once.course import gap
from exactly_once.log import CHANGELOG, GROUP, OUTPUT


def together(node):
    producer = node.transactions.producer("averages")
    producer.init_transactions()
    positions = node.transactions.positions()
    window = node.transactions.state()
    while node.running(positions):
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        producer.begin_transaction()
        ### BEGIN SOLUTION
        producer.send(OUTPUT, [window.average()])
        if len(window) > node.threshold:
            node.database.increment()
        producer.send(CHANGELOG, [window])
        producer.send_offsets_to_transaction(next_positions, GROUP)
        producer.commit_transaction()
        ### END SOLUTION
        positions = next_positions


one = gap("06-together", together)

# %% [markdown] id="gap-06-together-hints" tags=["hints"]
# ### one transaction for each hour
#
# 1. Three of the four writes are records of the log. Which call of the producer writes each of them, and which
#    call makes them visible?
# 2. `producer.send` takes a log and a list of values: OUTPUT for the average, CHANGELOG for the window. For the
#    positions the producer has a call of its own, which also takes GROUP.
# 3. The fourth write, the counter, is no record: increment it in the database, behind the question about the
#    threshold, as the handlers of the earlier chapters do. Send the positions that follow this hour, not the ones
#    that the hour began with. The commit comes last, so that all records become visible together.
