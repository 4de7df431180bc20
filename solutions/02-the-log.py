# %% [markdown] id="title"
# # 02 · The log: exercises
#
# Five exercises for [chapter 02](../notebooks/02-the-log.ipynb), about 100 minutes: a warm-up, three tasks and a challenge. Each has a task, `show(answer)`, which draws what your answer does, and `check(answer)`, which says *right*, or *wrong* with the simplest case that shows it. Hints go from a nudge, `hint(1)`, to the decisive idea, `hint(4)`. Ask for them whenever you like; after two wrong tries the next one is offered.

# %% [markdown] id="02b-task"
# ## (b) The high watermark (warm-up, 10 minutes)
#
# A record is *[committed](../notebooks/glossary.md#committed)* when every *[in-sync replica](../notebooks/glossary.md#in-sync-replica)* has it, and they are at least `min.insync.replicas`. Readers see the offsets below the *[high watermark](../notebooks/glossary.md#high-watermark)*, and no others. (Since Kafka 3.7 the second condition holds for readers, whatever `acks` the record was sent with; before, it held for `acks="all"` alone, when a record was taken.)
#
# Write `high_watermark(before, ends, in_sync, minimum)`, which the leader asks whenever something has changed. `before` is where the high watermark was. `ends` is a dictionary from each broker to the *log end* of its replica, the offset of the next record there, as far as the leader knows: a new leader takes 0 for a follower that has not asked it for records yet. `in_sync` is the list of the brokers whose replicas are in sync, the leader first. `minimum` is `min.insync.replicas`.

# %% [markdown] id="02b-hints" tags=["hints"]
# 1. A record is committed when all replicas in sync have it, and they are enough. Up to where is that so? And if
#    they are too few?
# 2. The leader's own log is one of the replicas. One that is not in sync has no say, however far it is. What was
#    committed once stays so: the high watermark never moves back.
# 3. A log's end is the offset of the record that comes next, so a log with end 3 has the offsets 0, 1 and 2. With
#    fewer replicas in sync than min.insync.replicas, the high watermark stays where it was.
# 4. The slowest broker in `in_sync` decides: take the smallest log end of these brokers, and of no others. Two
#    cases need care. With too few brokers in sync, the high watermark stays. And the high watermark never moves
#    back: `max` compares the smallest end with `before`.

# %% id="02b-answer"
def high_watermark(before, ends, in_sync, minimum):
    ### BEGIN SOLUTION
    if len(in_sync) < minimum:
        return before
    return max(before, min(ends[broker] for broker in in_sync))
    ### END SOLUTION

# %% [markdown] id="02b-show-words"
# What it says about five replicas, of which three are in sync:

# %% [markdown] id="02b-check-words"
# A wrong one is met with the smallest set of replicas that shows it.

# %% [markdown] id="02b-why" tags=["solution"]
# **Why.** Any of the in-sync replicas may be the next leader, and the next leader's log is the log. What a reader has seen must be in it, so the shortest of their logs decides. Kafka asks for no majority: it moves slow replicas out of the set and waits for those that are left. That is why the set may not be too small: when the leader alone is in sync, what it shows to readers dies with its disk. The strict rule belongs to KIP-966, and came with Kafka 3.7 (KAFKA-15583).

# %% [markdown] id="02d-task"
# ## (d) Read on without loss (task, 15 minutes)
#
# Your program was away for a while and comes back to the topic `orders`, partition 0. Its group committed the offset of the next record to read, or nothing yet (`None`). Meanwhile *[retention](../notebooks/glossary.md#retention)* may have deleted records from the beginning, and *[compaction](../notebooks/glossary.md#compaction)* may have left gaps.
#
# Write `resume(log, committed)`. It reads everything that is there from the committed offset on (without one, from the log start), and returns three things: the list of values, the position to commit next, and how many records it missed, that is, how many offsets lie between the committed one and the log start.
#
# `log.log_start("orders", 0)` and `log.high_watermark("orders", 0)` are the first offset and the one after the last committed record. `log.fetch("orders", 0, offset)` returns records, each with `offset`, `key` and `value`; before the log start and beyond the end it raises `OffsetOutOfRange`.

# %% [markdown] id="02d-hints" tags=["hints"]
# 1. Three places decide: the log start, the committed offset, and the end. In which order can they stand?
# 2. Begin at the committed offset, or at the log start when that lies behind it or when nothing was committed. The
#    distance between the two is what you missed.
# 3. The next position is the last record's offset + 1, or where you began if there was no record. A fetch may give
#    you a part only, so go on until one gives nothing.
# 4. `max` chooses between the committed offset and the log start. Without a committed offset the log start is the
#    beginning, and nothing was missed. The loop fetches from the next position until a fetch returns an empty list,
#    and moves the position behind the last record of each fetch.

# %% id="02d-answer"
def resume(log, committed):
    ### BEGIN SOLUTION
    start = log.log_start("orders", 0)
    position = start if committed is None else max(committed, start)
    missed = 0 if committed is None else position - committed
    values = []
    while found := log.fetch("orders", 0, position):
        values += [record.value for record in found]
        position = found[-1].offset + 1
    return values, position, missed
    ### END SOLUTION

# %% [markdown] id="02d-show-words"
# What it reads of a log whose first two records were deleted, with offset 0 committed:

# %% [markdown] id="02d-check-words"
# The check lets it read eleven logs.

# %% [markdown] id="02d-why" tags=["solution"]
# **Why.** An offset is a name, not a count. After retention the smallest name is not 0, after compaction the names have gaps, and the position after a record is its offset + 1 in either case. A reader that goes on at the newest record when its own is gone loses, in silence, what was still there; and that is the default, `auto.offset.reset=latest`, of Java's client (4.3.1) and of librdkafka (2.15.0).

# %% [markdown] id="02e-task"
# ## (e) What compaction leaves (task, 15 minutes)
#
# A compacted topic keeps the newest record of each key. Write `compact(records, before)`. `records` is a list of `(offset, key, value)` in the log's order. Return the list of those that remain, when the cleaner works on the offsets below `before`; what stands at `before` or later is still being written, and the cleaner neither removes it nor looks at it. A value of `None` is a *tombstone*, which says that the key was deleted; here it stays, like any other newest record.

# %% [markdown] id="02e-hints" tags=["hints"]
# 1. Go through the log once, and note for each key where you saw it last. Which records does that answer for?
# 2. Two passes: the first notes the last offset of each key, among offsets below `before`; the second keeps a
#    record when it is that one, or when the cleaner does not look at it.
# 3. A dictionary over the records below `before` does the first pass: a later record of a key replaces an earlier
#    one, so the dictionary holds the last offset of each key.
# 4. The second pass keeps a record for one of two reasons: the cleaner does not look at its offset, or `last[key]
#    == offset`. Ask for the first reason first, because a key without a record below `before` is not in the
#    dictionary. The order of the records stays.

# %% id="02e-answer"
def compact(records, before):
    ### BEGIN SOLUTION
    last = {key: offset for offset, key, value in records if offset < before}
    return [
        (offset, key, value)
        for offset, key, value in records
        if offset >= before or last[key] == offset
    ]
    ### END SOLUTION

# %% [markdown] id="02e-show-words"
# What it leaves of a log of seven records, cleaned before offset 5:

# %% [markdown] id="02e-check-words"
# The smallest log that shows a mistake comes first.

# %% [markdown] id="02e-why" tags=["solution"]
# **Why.** Consumers hold positions in this log, and a position must go on meaning what it meant. So offsets stay, order stays, and the gaps stay too. A tombstone is what tells a reader, who copies the newest values into a table, to remove a row; Kafka drops it no sooner than `delete.retention.ms` after the cleaning, a day by default.

# %% [markdown] id="02f-task"
# ## (f) Cut by leader epochs (task, 10 minutes)
#
# A broker that was dead comes back. Its replica may end with records that the new leader never had. Before it copies anything, it has to cut those off, and it has to keep what both have: that may be committed.
#
# Write `cut(follower, leader)`. Each is a list with the *[leader epoch](../notebooks/glossary.md#leader-epoch)* of every record of a log, offset by offset, so `[0, 0, 1]` is a log of three records. Return the follower's new log end: the first offset that it does not keep.

# %% [markdown] id="02f-hints" tags=["hints"]
# 1. Two records at one offset are the same exactly when their epochs are equal: in one epoch there is one leader.
# 2. Go through both logs together from offset 0. Where do they part?
# 3. They part at the first offset with different epochs, or where one of the logs ends.
# 4. `zip` pairs the records of the two logs and ends with the shorter log, and `enumerate` counts the offsets. The
#    first pair of different epochs gives the answer. If all pairs agree, the answer is the length of the shorter
#    log.

# %% id="02f-answer"
def cut(follower, leader):
    ### BEGIN SOLUTION
    for offset, (one, other) in enumerate(zip(follower, leader, strict=False)):
        if one != other:
            return offset
    return min(len(follower), len(leader))
    ### END SOLUTION

# %% [markdown] id="02f-show-words"
# Where it cuts a log of six records:

# %% [markdown] id="02f-check-words"
# The smallest pair of logs that shows a mistake comes first.

# %% [markdown] id="02f-why" tags=["solution"]
# **Why.** In one epoch there is one leader, and it gives each offset one record. So equal epochs at an offset mean equal records there, and before it. A committed record is on the new leader, who was in sync, so what only the follower has was never committed. Cutting lower than necessary is a danger too: for a while, the record would have a copy fewer than was promised.

# %% [markdown] id="02g-task"
# ## (g) A replica that keeps its word (challenge, 50 minutes)
#
# A specification, and nothing else. You write the class of a broker's *[replica](../notebooks/glossary.md#replica)*, *[leader](../notebooks/glossary.md#leader)* and *[follower](../notebooks/glossary.md#follower)* in one. The check makes three of them, brokers 0, 1 and 2, plays the controller, the network and the faults, and calls your methods.
#
# **The specification.**
#
# - What lies below the leader's `self.high_watermark` is acknowledged. What was ever acknowledged is at its *[offset](../notebooks/glossary.md#offset)* in the log of whoever leads later.
# - No record is twice in a log.
# - When nothing goes wrong any more, and both followers keep asking, all three logs become equal, and all that is in them is acknowledged.
#
# **What you can rely on.** `self.log` is a list of records `[epoch, value]`, and it is on disk: after a restart your class is called with what was in it. All else in `self` is memory, and gone. A new leader comes from the *[in-sync replicas](../notebooks/glossary.md#in-sync-replica)*, and has a higher *[leader epoch](../notebooks/glossary.md#leader-epoch)* than any before. A follower that has lagged, or that led and went down, is in sync again when its log is equal to the leader's.
#
# **What you cannot rely on.** The leader goes down at any moment, and comes back as a follower, or at once as the leader of a new epoch. A follower restarts so quickly that nobody misses it. A follower lags, and is no longer in sync. A reply is lost, is late, in the next epoch or after a restart, or arrives twice, also at a broker that leads by then. (One reply is under way to a follower at a time; when it asks again, the earlier one is lost.)
#
# **Messages.** A request and a reply are made of numbers, words, `None`, lists and dictionaries, six numbers and words at most. A reply holds no more than one record, a request none: logs are long.
#
# Here are the methods:

# %% [markdown] id="02g-hints" tags=["hints"]
# 1. Begin with the leader's question: what does it have to know before it may say that a follower has a record?
#    Not that it has sent it.
# 2. A follower asks from its log end on, so a request says what it has, and a later one that it has the record.
#    But a log of the same length may hold something else: let the request say of which epoch its last record is.
#    And a reply may be one of an earlier leader: let it say its epoch, and from which offset it is.
# 3. If the leader has a record of the same epoch directly before the follower's log end, both have the same up to
#    there: count it, and send the next one. If not, the follower's last record has to go; then it asks again. It
#    is never the high watermark that tells where to cut: after a restart it is not known.
# 4. Three kinds of reply are enough: nothing, "drop your last record", and the record that comes next. The first
#    answers a request of another epoch. The second answers a follower whose log is longer than the leader's, or
#    whose last record has another epoch than the leader's record at that offset. Only in the third case does the
#    leader note the follower's end. A follower obeys a reply only if the reply's epoch and offset are still its own
#    epoch and log end. The high watermark is the smallest noted end among the brokers in sync, and it never moves
#    back; a new epoch forgets all ends.

# %% id="02g-specification"

# %% [markdown] id="02g-answer-words"
# All that you write goes into this class.

# %% id="02g-answer"
class Replica:
    ### BEGIN SOLUTION
    def __init__(self, number, log):
        self.number, self.log = number, log
        self.epoch, self.high_watermark, self.ends, self.in_sync = -1, 0, {}, []

    def lead(self, epoch, in_sync):
        if epoch != self.epoch:
            self.epoch, self.ends = epoch, {}
        self.in_sync = in_sync
        self.advance()

    def follow(self, epoch):
        self.epoch = epoch

    def write(self, value):
        self.log.append([self.epoch, value])
        self.advance()

    def advance(self):
        ends = {**self.ends, self.number: len(self.log)}
        reached = min(ends.get(broker, 0) for broker in self.in_sync)
        self.high_watermark = max(self.high_watermark, reached)

    def fetch(self):
        return [self.epoch, len(self.log), self.log[-1][0] if self.log else -1]

    def serve(self, follower, request):
        epoch, end, last = request
        if epoch != self.epoch:
            return None
        if end > len(self.log) or (end and self.log[end - 1][0] != last):
            return [epoch, end, None]
        self.ends[follower] = end
        self.advance()
        return [epoch, end, self.log[end]] if end < len(self.log) else None

    def receive(self, reply):
        epoch, end, record = reply
        if epoch == self.epoch and end == len(self.log):
            if record is None:
                self.log.pop()
            else:
                self.log.append(record)
    ### END SOLUTION

# %% [markdown] id="02g-show-words"
# Two records, when nothing goes wrong:

# %% [markdown] id="02g-check-words"
# Every schedule within the bounds is tried, the shortest first, which takes some seconds. A wrong class is met with the shortest schedule that breaks it.

# %% [markdown] id="02g-why" tags=["solution"]
# **Why.** Two questions are all there is to it. *What does the other have?* Not what was sent to it, and not a log of the same length, but a log whose last record has the same epoch at the same offset: in one epoch one leader writes, so all before it is the same, too. *Is this still meant for me?* A reply names its epoch and its offset, and one that names others is dropped. With these a follower never needs its high watermark to decide what to cut. Kafka's followers did cut to it until 0.11; that is the wrong answer that loses with one restart and one election, and KIP-101 tells of it. The question after the last record's epoch is how a follower in Raft is kept in line; Kafka's asks where an epoch ends in the leader's log, and so cuts in one step.
