# %% [markdown] id="title"
# # 05 · The idempotent producer: exercises
#
# Four exercises for [chapter 05](../notebooks/05-the-idempotent-producer.ipynb), about 130 minutes: a warm-up, two tasks and a challenge. In each exercise, `show(answer)` draws what your answer does, and `check(answer)` says *right*, or *wrong* with the simplest case that shows the mistake. Hints go from a nudge, `hint(1)`, to the decisive idea, `hint(4)`. Ask for them whenever you like; after two wrong tries the next hint is offered.

# %% [markdown] id="05a-task"
# ## (a) Which batch should not be there? (warm-up, 10 minutes)
#
# A consumer reports a value that cannot be right, and you read the headers of the partition's log. Every producer of this partition numbers its records, so the headers show whether the broker kept its rule.
#
# Write `audit(headers)`. `headers` is a list of tuples `(offset, producer, epoch, first, count)`, in the order of the log: the offset of the batch, the producer's id and epoch, the number of the batch's first record, and how many records there are. `producer` is `None` for a batch without numbers, in which there is nothing to check.
#
# Return the offset of the first batch that does not follow from the batches of *its producer* before it, or `None`. A batch follows
#
# - if it has the same epoch as its producer's batch before it, and its first number is the next one (after 2147483647, that is 2³¹ − 1, comes 0, also within a batch);
# - if it begins a newer epoch with number 0;
# - if it is its producer's first batch in this log: older ones may have been deleted.
#
# No producer here was idle for long enough to be forgotten by the broker, and none uses transactions.

# %% [markdown] id="05a-hints" tags=["hints"]
# 1. Several producers write to the partition in turn. What do you have to remember of each, so that you can judge
#    its next batch?
# 2. For each producer: its epoch, and its next number. Compare the epochs first: an older one is wrong, and a newer
#    one has to begin with 0.
# 3. The next number is the first number plus the number of records, modulo 2**31. A producer that is not in your
#    dictionary yet may begin with any number.
# 4. The dictionary holds a pair for each producer: the epoch, and the next number. A producer without a pair is
#    measured by its own batch: `last.get(producer, (epoch, first))`. A smaller epoch than the known one is a fault.
#    A larger epoch changes the expected number to 0. A first number other than the expected one is a fault, too. A
#    batch without a fault makes the new pair of its producer.

# %% id="05a-answer"
def audit(headers):
    ### BEGIN SOLUTION
    last = {}
    for offset, producer, epoch, first, count in headers:
        if producer is None:
            continue
        known, wanted = last.get(producer, (epoch, first))
        if epoch > known:
            wanted = 0
        if epoch < known or first != wanted:
            return offset
        last[producer] = epoch, (first + count) % 2**31
    return None
    ### END SOLUTION

# %% [markdown] id="05a-show-words"
# Your function reads a log of two producers:

# %% [markdown] id="05a-check-words"
# The smallest log that shows a mistake comes first.

# %% [markdown] id="05a-why" tags=["solution"]
# **Why.** The number and the record are written in one step, so the log proves what the broker did. A batch that comes with the next number, or begins a newer epoch with 0, is what the rule of Kafka's broker appends (`ProducerAppendInfo`, 4.3.1). A number that comes a second time is a doubled batch, a number that is too large is a batch whose predecessor is missing, and an older epoch is a process that should have been shut out. The audit says nothing about three harms: a record that the application sent again under a new number, a restarted producer with a new id, and a lost *first* batch, since any first number is accepted. The numbers go around because a producer may send more than 2³¹ records: at 100,000 a second to one partition that takes six hours.

# %% [markdown] id="05b-task"
# ## (b) A set of numbers forgets the order (task, 15 minutes)
#
# A colleague has built a broker that recognises every repetition, because it remembers every number. The next cell shows its code, and a burst of four records that it gets wrong.

# %% [markdown] id="05b-hints" tags=["hints"]
# 1. The set can tell whether a number arrived before. What else does a broker have to know about number 2, before
#    it writes record 2 behind record 0?
# 2. All numbers below the next one are in the log, and none above. So this one number
#    says as much as the set. A number that arrives can be smaller, equal or larger: what do you do in each case?
# 3. The next number: write the record, and acknowledge. A smaller number: the record is in the log, so acknowledge,
#    and do not write. A larger number: refuse it, so that the producer sends it again when the gap is closed.
# 4. The length of the log is the next number, so a broker needs nothing but the log: write only if `number ==
#    len(self.log)`. After that, a record whose number is below the length is in the log, old or new, and the answer
#    is whether the number is below the length.

# %% id="05b-code"

# %% [markdown] id="05b-words"
# No record is in the log twice, but *milk*, which was sent after *tea*, stands before *tea*. Write a broker that keeps both promises: once each, and in order. The producer sends all its records at once, numbered from 0, and sends each record again that was refused or not answered.
#
# - `self.log` is the list of the written values. At every moment it holds the value of each number once, in the order of the numbers; two numbers may have equal values.
# - `receive(number, value)` returns `True` for *acknowledged*, when the record is in the log by now, and `False` for *refused*.
# - When no message is lost or late any more, and the producer sends every record without an acknowledgement once more, in order, the broker acknowledges them all.

# %% id="05b-answer"
class Broker:
    ### BEGIN SOLUTION
    def __init__(self):
        self.log = []

    def receive(self, number, value):
        if number == len(self.log):
            self.log.append(value)
        return number < len(self.log)
    ### END SOLUTION

# %% [markdown] id="05b-show-words"
# Your broker receives the same burst:

# %% [markdown] id="05b-check-words"
# A request may arrive early, late, twice or never, and any answer may be lost. For a wrong broker, the check shows the shortest schedule that breaks it.

# %% [markdown] id="05b-why" tags=["solution"]
# **Why.** All numbers below the next one are in the log. So the next number alone says as much as the set, in less space, and it also shows that a record is missing. The price: a record behind a gap has to be sent again, although the broker has received it once. A broker could keep such a record until the gap is closed, as TCP does. But then it has to hold records for every producer, and must not acknowledge them before the gap is closed, or a restart loses an acknowledged record. Kafka refuses. A Lamport clock also takes a number from each message. It would jump over the gap with its *max*, and the late record would look like the past: acknowledged, and never written.

# %% [markdown] id="05c-task"
# ## (c) What Java does with a refused number (task, 15 minutes)
#
# Kafka's Java client, with its defaults, sends six batches of one record each, **a** to **f**, numbered from 0 to 5, over one connection to one partition. **a** goes alone and is acknowledged; then **b** to **f** are in flight together: five, as the window allows. One mishap happens:
#
# - `("connection", X)`: the connection is lost, and with it the answers to X and to all batches behind X. The broker has written them.
# - `("too few replicas", X)`: the broker writes X and answers `NotEnoughReplicasAfterAppend`, an error that may pass. All other answers come.
# - `("not written", X)`: the broker answers `NotEnoughReplicas`, an error that may pass, and does not write X. It refuses what is in flight behind X as out of order.
#
# Before the producer sends any batch again, the broker is stopped cleanly, starts, and leads the partition again. It has loaded its snapshot, and knows *only the newest batch* of this producer. Then the producer sends the batches without an acknowledgement again, in order, one at a time.
#
# When such a batch is refused as out of order, Java's client follows this rule (`TransactionManager.canRetry`, 4.3.1). If the batch is the next one after the *last acknowledged* number, the client bumps its epoch, and numbers *all* its batches in flight anew, from 0. Otherwise it sends the batch again under its number, until `delivery.timeout.ms` is over: then the application gets a `TimeoutException`.
#
# 1. `doubles`: a mishap after which batches are in the log twice.
# 2. `log`: the log in the end, after that mishap, such as `"abcdef"`.
# 3. `expires`: a mishap that ends in a `TimeoutException` for a batch that is in the log.
# 4. `harmless`: a mishap that does no harm, in spite of the restart.
#
# Your answer is a dictionary with the four entries, such as `{"doubles": ("not written", "a"), "log": "abc", "expires": ("not written", "a"), "harmless": ("connection", "c")}`.

# %% [markdown] id="05c-hints" tags=["hints"]
# 1. Write down, for one mishap: what is in the log, which batch is the last acknowledged, and which batch the
#    broker knows after its restart. Then send the oldest batch without an acknowledgement again.
# 2. A batch other than f that is in the log is refused after the restart. Java's reaction depends on one thing: was
#    a batch behind it acknowledged?
# 3. When the connection is lost, the answers to X and to all batches behind X are lost: none of them was
#    acknowledged. An error for one batch alone leaves the answers behind it as they are.
# 4. doubles: look for a mishap after which all batches are in the log, X is not the newest of them, and no batch
#    behind X is acknowledged. expires: look for a mishap that leaves the batches behind X acknowledged. harmless:
#    which is the one batch that the broker recognises after its restart? For log, write down a to f, and behind
#    them the batches that the client numbers anew.

# %% id="05c-answer"
answer_c = (
    ### BEGIN SOLUTION
    {
        "doubles": ("connection", "b"),
        "log": "abcdefbcdef",
        "expires": ("too few replicas", "b"),
        "harmless": ("connection", "f"),
    }
    ### END SOLUTION
)

# %% [markdown] id="05c-show-words"
# The table shows the first answers that the producer hears, after each of your mishaps. It does not show the end:

# %% [markdown] id="05c-check-words"
# The check plays your mishaps with the chapter's client and the log's own rule.

# %% [markdown] id="05c-why" tags=["solution"]
# **Why.** After the restart the broker knows **f** alone. It cannot place the number of an older batch, and answers *out of order*, as it answers a gap. So the client has to guess, and it guesses by the acknowledgements that it heard. If no batch behind the refused one was acknowledged, the broker seems to have forgotten the producer, and a new epoch lets the client go on. The new epoch empties the broker's window, so all batches in flight are written a second time. If a batch behind it was acknowledged, the refused batch seems to have been overtaken, and the gap should close. Here there is no gap, and the batch expires although it is in the log. An application that answers the `TimeoutException` by sending the record again doubles the record. librdkafka does not guess: without transactions, a refused number of the oldest batch is a fatal error. (All of this is concluded from the code of 4.3.1, `TransactionManager`, `TxnPartitionEntry` and `ProducerStateManager`; it was not tried on a broker. A leader that kept running knows the last five batches, and none of this happens.)

# %% [markdown] id="05e-task"
# ## (e) A broker that survives (challenge, 90 minutes)
#
# This exercise is a specification without a skeleton. You write the class of a broker with one partition. The check plays the producers, the network, the disk and the faults.
#
# **The specification.** A batch is `[producer, epoch, first, values]`. Each producer numbers its records from 0 in each of its epochs; `first` is the number of the first of the `values`.
#
# - No batch is in the log twice, those deleted included. Of each producer and epoch the log holds the batches in the order of their numbers, and no batch without the ones before it.
# - Behind a batch of a newer epoch there is none of an older epoch of the same producer: a batch that still arrives then comes from a zombie.
# - `receive` returns the batch's *place* in the log, the same one each time (places count batches, and the first batch of all has place 0), or `None` when the batch is refused. A batch with a place is in the log, or was deleted from it.
# - After `delete(before)` the log begins at the place `before`.
# - When the faults are over, and each producer sends the batches of its newest epoch once more, in order, the broker acknowledges all of them: batches in the log, because their answers may have been lost, and the others, because they are next. A producer has at most five batches in flight, and none of its epochs here has more.
#
# **What you can rely on.** Each of the disk's three writes is done wholly or not at all, and the disk survives every crash. A saved value replaces the one before, and must hold no records.
#
# **What you cannot rely on.** A batch that was ever sent may arrive at any time, in any order, any number of times, or never. The broker dies after any write, or between two calls. Then another one starts over the same disk, and everything else in `self` is gone. Retention deletes batches, sometimes all of them.

# %% [markdown] id="05e-hints" tags=["hints"]
# 1. Begin without deletions. How much can a newly started broker learn about its producers from the log alone? Let
#    `receive` do one write at the most.
# 2. For each producer: its epoch, and of each of its last five batches the first number, how many records, and its
#    place. In the known epoch, a batch that is one of these is acknowledged at its place, and the batch
#    with the next number is written. A higher epoch begins with number 0, and so does an unknown producer. Refuse
#    every other batch.
# 3. Fill this table in __init__ from disk.log, with the same method that receive calls after a write. When records
#    are deleted, their headers go, too: before disk.delete, save the table, and begin with it in __init__.
# 4. After a death between save and delete, the disk holds both the saved table and the batches from which it comes.
#    So save the log's end beside the table, and in __init__ read only the batches behind that end, with
#    enumerate(disk.log, disk.start). A place is disk.start + len(disk.log) at the moment of the write.

# %% id="05e-specification"

# %% [markdown] id="05e-answer-words"
# Your whole answer is this class.

# %% id="05e-answer"
class Broker:
    ### BEGIN SOLUTION
    def __init__(self, disk):
        self.disk = disk
        self.producers, end = disk.saved or [{}, 0]
        for place, batch in enumerate(disk.log, disk.start):
            if place >= end:
                self.note(place, *batch)

    def note(self, place, producer, epoch, first, values):
        known, window = self.producers.get(producer, [epoch, []])
        kept = window if known == epoch else []
        window = [*kept, [first, len(values), place]][-5:]
        self.producers[producer] = [epoch, window]

    def receive(self, producer, epoch, first, values):
        known, window = self.producers.get(producer, [epoch, []])
        if epoch < known:
            return None
        window = window if epoch == known else []
        for number, count, place in window:
            if (number, count) == (first, len(values)):
                return place
        if first != (window[-1][0] + window[-1][1] if window else 0):
            return None
        place = self.disk.start + len(self.disk.log)
        self.disk.append([producer, epoch, first, values])
        self.note(place, producer, epoch, first, values)
        return place

    def delete(self, before):
        end = self.disk.start + len(self.disk.log)
        self.disk.save([self.producers, end])
        self.disk.delete(before)
    ### END SOLUTION

# %% [markdown] id="05e-show-words"
# Two producers send to your broker, without a fault:

# %% [markdown] id="05e-check-words"
# The check tries every schedule within the bounds, the shortest first, which takes some seconds. For a wrong class it shows the shortest schedule that breaks it.

# %% [markdown] id="05e-why" tags=["solution"]
# **Why.** The broker rests on three decisions. *One write for a record and its number*: the header is part of the batch; a broker that wrote record and number one after the other could die between them. *Memory is a copy*: the broker's table is always the one that can be read from the disk, by the same method. *Knowledge outlives records*: before headers are deleted, the table is saved, together with the place up to which it reaches, because after a death between save and delete the disk holds the same facts twice. The third decision is KIP-360: before 2.5 Kafka's brokers forgot a producer when its last record was deleted. In one point this broker is stricter than Kafka's, which since then accepts any first number from an unknown producer (from 4.5 not in a partition that never held a record). That rule loses the first batch if it is refused for a moment and the second one is accepted, as the chapter shows. And Kafka forgets a producer on purpose after an idle day (`producer.id.expiration.ms`), because it cannot hold the state of every producer that ever existed.
