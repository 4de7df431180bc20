# %% [markdown] id="title"
# # 06 · Transactions: exercises
#
# Four exercises for [chapter 06](../notebooks/06-transactions.ipynb), about 45 minutes: a warm-up and three tasks. Each has a task, `show(answer)`, which draws what your answer does, and `check(answer)`, which says *right*, or *wrong* with the simplest case that shows the mistake. Hints go from a nudge, `hint(1)`, to the decisive idea, `hint(4)`. Ask for them whenever you like; after two wrong tries the next one is offered.

# %% [markdown] id="06a-task"
# ## (a) Three requests of a zombie (warm-up, 10 minutes)
#
# A producer stalls and is taken for dead. A new incarnation with the same [transactional id](../notebooks/glossary.md#transactional-id) takes over, and the coordinator gives it a higher epoch. Then the first incarnation wakes up and continues: now it is a zombie, and its requests are recognised by their epoch. But not every server that gets a request knows the newest epoch.
#
# Write `judge(request, epoch, known)`. The request carries `epoch`; `known` is the newest epoch of this producer that the server knows, or `None` if the server knows nothing of the producer. Every end of a transaction raises the epoch (KIP-890). There are three requests:
#
# - `"append"`: a batch arrives at the leader of a partition. The leader knows the epochs of the batches and markers that came to it, and no others.
# - `"add"`: the coordinator is asked to add a partition to the producer's transaction. The coordinator gives the epochs out, and `known` is the one that it gave out last.
# - `"marker"`: the leader of a partition gets the marker for a transaction. The marker carries the raised epoch: the end of its transaction raised the epoch by one. If `known` is not `None`, it is the epoch of records whose transaction is open.
#
# Return `"accept"`, or a refusal by its name in Kafka's protocol. A leader refuses with `"INVALID_PRODUCER_EPOCH"`, the coordinator with `"PRODUCER_FENCED"`, or with `"INVALID_PRODUCER_ID_MAPPING"` if it knows nothing of the producer.

# %% [markdown] id="06a-hints" tags=["hints"]
# 1. Which server gives out the epochs, and which one only hears of them? One of the two can compare with ==.
# 2. A leader hears of a new epoch by the first batch that carries it. So for which epochs can a leader refuse an
#    append: older, same, or newer ones? And what if it has heard of no epoch at all?
# 3. With KIP-890 the end of a transaction raises the epoch, and the marker carries the raised epoch. To which
#    transaction does a marker belong that has the same epoch as the data?
# 4. Treat the coordinator's request first. The coordinator gives out the epochs, so it either does not know the
#    producer, or demands the very epoch that it knows. A leader only hears of epochs: it accepts every request of
#    an unknown producer, and every request of a newer epoch. Append and marker differ in one case, the epoch that
#    the leader knows: an append may carry it, and a marker may not.

# %% id="06a-answer"
def judge(request, epoch, known):
    ### BEGIN SOLUTION
    if request == "add":
        if known is None:
            return "INVALID_PRODUCER_ID_MAPPING"
        return "accept" if epoch == known else "PRODUCER_FENCED"
    if known is None or epoch > known or (request, epoch) == ("append", known):
        return "accept"
    return "INVALID_PRODUCER_EPOCH"
    ### END SOLUTION

# %% [markdown] id="06a-show-words"
# This is what your function says about four requests:

# %% [markdown] id="06a-check-words"
# For a mistake, the check says why the server answers otherwise.

# %% [markdown] id="06a-why" tags=["solution"]
# **Why.** The three comparisons are `>=`, `==` and `>`. The leader of a partition hears of a new epoch only from the requests that come to it. So a newer epoch is news to the leader, and an older one is a zombie's. The coordinator gives the epochs out, so every epoch but the newest is wrong there. A marker has to be newer than the records that it ends: with the epoch raised at each end, a marker with the same epoch belongs to an earlier transaction, and is late. Kafka's leaders ask for that since 4.2.0. In the classic protocol no leader could, because the epoch stays the same over many transactions. The names of the refusals differ for a reason, too: Java's client aborts its transaction after `INVALID_PRODUCER_EPOCH` in answer to a batch, while `PRODUCER_FENCED` from the coordinator is the end of this producer.

# %% [markdown] id="06b-task"
# ## (b) The last stable offset (task, 10 minutes)
#
# The *[last stable offset](../notebooks/glossary.md#last-stable-offset)* is the first offset that a `read_committed` consumer does not see: everything below it is decided for good.
#
# Write `seen(log, high)`. `log` is a list of entries `(kind, producer, value)`, where the place in the list is the offset:
#
# - `("data", None, "tea")` is a record outside of any transaction;
# - `("data", "a", "tea")` is a record of producer a's transaction, which begins with its first record;
# - `("commit", "a", None)` and `("abort", "a", None)` are the markers that end producer a's transaction. The producer may begin another transaction behind a marker.
#
# `high` is the [high watermark](../notebooks/glossary.md#high-watermark): the first offset that is not known to be on all in-sync replicas. Entries at or behind the high watermark may still be lost, markers included.
#
# Return a pair: the last stable offset, and the list of the values that `read_committed` shows.

# %% [markdown] id="06b-hints" tags=["hints"]
# 1. Go through the log once and note for each producer where its transaction began. Which transactions are not
#    decided at the end?
# 2. A marker at or beyond the high watermark may still be lost with its broker. So a transaction is decided when
#    its marker stands below the high watermark, and not before.
# 3. The last stable offset is the smallest of the high watermark and the first offsets of all transactions that
#    are not decided. Below it, hide the markers and the records of aborted transactions; one producer may have
#    aborted one transaction and committed the next.
# 4. Keep four things for each ended transaction: its producer, its first offset, the offset of its marker, and
#    whether it was aborted. A transaction without a marker below the high watermark has only a first offset, and
#    this offset holds back the last stable offset. A record is hidden if its producer has an aborted transaction
#    with `first <= offset < end`.

# %% id="06b-answer"
def seen(log, high):
    ### BEGIN SOLUTION
    began, ended = {}, []
    for offset, (kind, producer, _) in enumerate(log[:high]):
        if kind == "data" and producer is not None:
            began.setdefault(producer, offset)
        elif kind != "data":
            ended.append((kind, producer, began.pop(producer), offset))
    stable = min([high, *began.values()])
    gone = [(producer, *span) for kind, producer, *span in ended if kind == "abort"]
    shown = [
        value
        for offset, (kind, producer, value) in enumerate(log[:stable])
        if kind == "data"
        and not any(who == producer and a <= offset < z for who, a, z in gone)
    ]
    return stable, shown
    ### END SOLUTION

# %% [markdown] id="06b-show-words"
# This is what your function says about one log:

# %% [markdown] id="06b-check-words"
# The check asks about every log of up to four entries, with every high watermark; the shortest log comes first.

# %% [markdown] id="06b-why" tags=["solution"]
# **Why.** The last stable offset is one number for a partition, not one for each producer. So a producer that is slow to decide holds back the committed records of all others behind its first one, until its transaction ends or the time is over (`transaction.timeout.ms`, one minute by default). Below that number everything is decided, and a reader needs to know only which transactions were aborted; a broker keeps a list of them in an index of each segment, by producer and first offset. The producer alone does not say which records to hide: a producer may abort one transaction and commit the next.

# %% [markdown] id="06d-task"
# ## (d) A coordinator reads its log (task, 15 minutes)
#
# A coordinator dies, and another coordinator takes over its log. The log is compacted: for each transactional id only the newest record counts. Write `recover(records, now)`, which says what the new coordinator does next.
#
# `records` is a list of pairs `(id, t)`, the oldest first. `t` is `None` if the id was forgotten; otherwise it has
#
# - `t.state`: `"Empty"`, `"Ongoing"`, `"PrepareCommit"`, `"PrepareAbort"`, `"CompleteCommit"` or `"CompleteAbort"`;
# - `t.partitions`: the names of the transaction's partitions;
# - `t.started` and `t.timeout_ms`: when the transaction began, and how long it may stay open, in milliseconds. `now` is the time. A transaction is over its time when `now - t.started` is more than `t.timeout_ms`.
#
# Return the list of its actions, in order:
#
# - `("marker", id, partition, "commit")`, or with `"abort"`: write this marker. A second copy of a marker does no harm as long as the transaction is not complete.
# - `("record", id, state)`: write a record with another state, `"PrepareAbort"`, `"CompleteCommit"` or `"CompleteAbort"`, into the log. (The rest of the record stays; the epoch is raised with `"PrepareAbort"`.)
#
# The new coordinator aborts a transaction that is over its time, completes a transaction that was decided, and leaves every other as it is. This coordinator, too, may die between any two of its actions; a decision must still stand then.

# %% [markdown] id="06d-hints" tags=["hints"]
# 1. For each transactional id only the newest record counts: the log is compacted by this key. Which of the six
#    states is a decision, and what is still to be done in each of them?
# 2. PrepareCommit and PrepareAbort are decisions. Their markers are all written, again if need be, since nobody
#    knows which of them are there. Empty and Complete… need nothing. Ongoing is left to the producer, as long as
#    it has time.
# 3. The order matters, because the coordinator may die between any two actions: first the decision, then all
#    markers, and last the record that they are written.
# 4. `dict(records)` keeps the newest record of each id; with None as the newest record nothing is to be done. For
#    an Ongoing transaction whose time is over, first write the decision PrepareAbort, and then act as if the log
#    had held this decision. The state's own name says the rest: the word behind Prepare is the result of the
#    markers, and the word behind Complete.

# %% id="06d-answer"
def recover(records, now):
    ### BEGIN SOLUTION
    actions = []
    for name, t in dict(records).items():
        state = t.state if t is not None else "Empty"
        if state == "Ongoing" and now - t.started > t.timeout_ms:
            state = "PrepareAbort"
            actions.append(("record", name, state))
        if state.startswith("Prepare"):
            result = state.removeprefix("Prepare")
            for partition in t.partitions:
                actions.append(("marker", name, partition, result.lower()))
            actions.append(("record", name, f"Complete{result}"))
    return actions
    ### END SOLUTION

# %% [markdown] id="06d-show-words"
# This is what your function does for one log, which holds three transactional ids:

# %% [markdown] id="06d-check-words"
# The course's own coordinator wrote the logs. The check cuts each log at every place, and asks `recover` again after each record that a new coordinator adds there.

# %% [markdown] id="06d-why" tags=["solution"]
# **Why.** One record decides: before `PrepareCommit` is in the log, nobody has been told of a commit and no marker is written; after it, every later coordinator carries the commit out. So this two-phase commit does not block, as one does whose coordinator's disk is out of reach: the log is a replicated partition, and another broker can lead it. The new coordinator does not know which markers were written, and need not know, since it may write them again. The last record, `Complete…`, spares work: without it, each new coordinator would write those markers once more, and the producer could not begin its next transaction.

# %% [markdown] id="06g-task"
# ## (g) Which call is next? (task, 10 minutes)
#
# An application reads records, sends results, and commits them in transactions with Kafka's Java client. Its calls fail now and then. Write `next_call(call, error)`, which names the application's next call.
#
# `call` is `"send"`, `"sendOffsetsToTransaction"`, `"commitTransaction"` or `"abortTransaction"`. `error` is the name of the exception that the call raised: `"TimeoutException"`, `"TransactionAbortableException"`, `"ProducerFencedException"` or `"IllegalGenerationException"`. It is `None` in one case: `abortTransaction` returned without an error.
#
# Return one of
#
# - `"send"`, `"commitTransaction"`, `"abortTransaction"`: call this method of the producer;
# - `"seek"`: move the consumer back to the first record of the transaction, and begin the transaction again;
# - `"close"`: close the producer, make a new one, and take the position from the group.
#
# For `send`, the error came with the result of the call, and the client had tried for as long as it may.

# %% [markdown] id="06g-hints" tags=["hints"]
# 1. A time-out says that the outcome is open. Of which calls can the outcome be asked for by repeating them, and
#    which call does more when it is repeated?
# 2. The coordinator recognises a repeated commit or abort. A record that the application sends again is another
#    record. What becomes of the first one if the transaction is aborted?
# 3. Fenced, or of an old generation: this producer is not valid any more. All other errors leave it valid: then only
#    the transaction is given up. And an abort does not move the consumer.
# 4. Decide in this order. Without an error the abort is done, and the consumer must move. A producer that is no
#    longer valid must be replaced. When the outcome of a commit or an abort is open, the same call asks for the
#    outcome. In every other case, give up the transaction.

# %% id="06g-answer"
def next_call(call, error):
    ### BEGIN SOLUTION
    if error is None:
        return "seek"
    if error in ("ProducerFencedException", "IllegalGenerationException"):
        return "close"
    if error == "TimeoutException" and call in ("commitTransaction", "abortTransaction"):
        return call
    return "abortTransaction"
    ### END SOLUTION

# %% [markdown] id="06g-show-words"
# This is what your function says in all ten cases:

# %% [markdown] id="06g-check-words"
# For a mistake, the check says what the call leads to.

# %% [markdown] id="06g-why" tags=["solution"]
# **Why.** After a time-out the outcome is open, and the question is what a repetition does. The coordinator recognises a repeated `commitTransaction` or `abortTransaction`, so the application repeats it, as often as needed; the opposite call is refused with an `IllegalStateException`. A repeated `send` makes a new record with a new number, and no broker can tell that it repeats the first. So the transaction is aborted, and with it the first record, if it arrived. The abort moves no consumer: without `seek` the aborted records are skipped. `ProducerFencedException` and `IllegalGenerationException` are *application-recoverable* (KIP-1050): the producer is replaced, and the new one begins at the group's position. Such an error does not prove that another process is at work: a producer whose transaction was over its time may be told the same.
