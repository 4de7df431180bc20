# %% [markdown] id="title"
# # 03 · Delivery semantics: exercises
#
# Four exercises for [chapter 03](../notebooks/03-delivery-semantics.ipynb), about 140 minutes: a warm-up, two tasks and a challenge. `show(answer)` draws what your answer does. `check(answer)` says *right*, or *wrong* with the simplest run that shows the mistake. Hints go from a nudge, `hint(1)`, to the decisive idea, `hint(4)`. Ask for a hint whenever you like; after two wrong tries the next hint is offered.

# %% [markdown] id="03a-task"
# ## (a) Lost and doubled (warm-up, 20 minutes)
#
# A producer sends the records 1 to 8. A consumer reads the log in batches of three offsets, counts each record, and saves its position once for each batch. Three faults strike:
#
# - the *acknowledgement* of record 2 is lost;
# - the *request* with record 5 is lost;
# - the consumer dies right after record 6 had its effect. The next process continues from the saved position. (The consumer dies once, whatever else happens.)
#
# A record is *lost* if it never takes effect, and *doubled* if it takes effect more than once. Which records are lost and which are doubled, under each of the four settings? When no answer comes, the producer sends again ("retry") or lets the record go ("give up"). The consumer saves its position after it has counted the batch ("last") or before ("first").
#
# Write lists of records; `[]` means none. Paper helps: begin with the log.

# %% [markdown] id="03a-hints" tags=["hints"]
# 1. Begin with the log. Which records does it hold, and in which order, when the producer sends again? And which
#    when the producer gives up?
# 2. With 'retry' the log is 1 2 2 3 4 5 6 7 8; with 'give up' it is 1 2 3 4 6 7 8. Now cut each into batches of
#    three offsets, and find the batch in which record 6 takes effect and the consumer dies.
# 3. With 'retry' the batches are 1 2 2, 3 4 5, 6 7 8: the consumer dies when the first record of its batch is
#    done. With 'give up' they are 1 2 3, 4 6 7, 8. With the position saved last, the batch is read again from its
#    beginning. With the position saved first, the rest of the batch is never read.
# 4. With ('give up', 'last'), record 5 is lost on the way, and records 4 and 6 take effect again. The other three
#    settings go the same way.

# %% id="03a-answer"
prediction = (
    ### BEGIN SOLUTION
    {
        ("retry", "last"): {"lost": [], "doubled": [2, 6]},
        ("retry", "first"): {"lost": [7, 8], "doubled": [2]},
        ("give up", "last"): {"lost": [5], "doubled": [4, 6]},
        ("give up", "first"): {"lost": [5, 7], "doubled": []},
    }
    ### END SOLUTION
)

# %% [markdown] id="03a-show-words"
# Your answer as a table (the table does not say whether the answer is right). An answer has four entries, such as `("retry", "last"): {"lost": [], "doubled": [1]}`.

# %% [markdown] id="03a-check-words"
# Now four runs judge your answer. `task_a.hint(1)` gives a first hint.

# %% [markdown] id="03a-why" tags=["solution"]
# **Why.** With *retry* the log is 1 2 2 3 4 5 6 7 8, so the batches are 1 2 2, then 3 4 5, then 6 7 8. With *give up* it is 1 2 3 4 6 7 8, and the batches are 1 2 3, then 4 6 7, then 8. The one surplus record shifts the borders of all later batches, so the same crash strikes another batch. With the position saved last, the crash repeats the beginning of its batch. With the position saved first, the crash leaves out the rest of its batch.

# %% [markdown] id="03b-task"
# ## (b) Which position to save (task, 15 minutes)
#
# Your consumer reads ahead and gives each record to one of several workers. The workers finish in any order. A consumer group of Kafka has one *[position](../notebooks/glossary.md#positions)* for a partition, and no acknowledgements of single records. So after each finished record, one number has to say where the next process begins.
#
# Write `position(began, handed_out, finished)`. `began` is the position at which this process began. `handed_out` lists the offsets that were given to workers since then, in the log's order. `finished` lists the finished offsets, in the order in which they were finished. Offsets may have gaps, because *[compaction](../notebooks/glossary.md#compaction)* leaves gaps. Return the position to save, so that:
#
# - whenever the process dies, every record has its effect in the end;
# - after a crash no finished record is done again, unless an earlier record is not finished.

# %% [markdown] id="03b-hints" tags=["hints"]
# 1. A position says that every record before it is done. Which record stops the position from moving on?
# 2. Go through handed_out in the log's order. The next process has to begin at the first offset that is not
#    finished, whatever is finished behind it.
# 3. If all are finished, the position is the last offset + 1. If nothing was handed out, the position is where the
#    process began. Do not count records: offsets have gaps.
# 4. One loop and one line below it. The loop returns at the first offset that stops the position. If the loop finds
#    none, the answer depends on one question: was anything handed out? The last offset of a list is
#    `handed_out[-1]`.

# %% id="03b-answer"
def position(began, handed_out, finished):
    ### BEGIN SOLUTION
    for offset in handed_out:
        if offset not in finished:
            return offset
    return handed_out[-1] + 1 if handed_out else began
    ### END SOLUTION

# %% [markdown] id="03b-show-words"
# A process began at 3 and handed out the records at 3, 4, 7, 8 and 9. The table shows your position after each finished record:

# %% [markdown] id="03b-check-words"
# The check tries the smallest cases first. Then the explorer lets three workers finish four records in any order, with one crash anywhere.

# %% [markdown] id="03b-why" tags=["solution"]
# **Why.** A saved position says "all before me is done", and one slow record holds the position back, whatever is done behind it. So a crash repeats everything that was finished ahead of the slowest worker. And if a worker hangs on a record for ever, the position stops for ever. Such a consumer needs a limit on how far it reads ahead, and a place to put a record that cannot be done. With `enable.auto.commit=true`, the default of Java's client (4.3.1) and of librdkafka (2.15.0), the client saves from time to time how far it has handed records to the program. The client knows nothing of workers.

# %% [markdown] id="03c-task"
# ## (c) A value that never goes back (task, 15 minutes)
#
# Here is a consumer that saves its position after every second hour.

# %% [markdown] id="03c-hints" tags=["hints"]
# 1. After a crash the consumer handles a batch again, from its first hour. What can an update find under the key
#    that shows that its reading is an old one?
# 2. Each value carries its hour. Read first: node.registers.read(name) returns (version, value), with None as the
#    value when nothing was written.
# 3. Write only if there is no value yet, or its hour is smaller than item.hour. Compare hours, not temperatures.
# 4. The consumer reads before it writes, and one condition guards the write: no value yet, or a smaller hour. The
#    value is a pair, so the hour is `held[0]`. Write the pair of hour and temperature, with the version that the
#    read returned, so that `cas` refuses a late write.

# %% id="03c-code"

# %% [markdown] id="03c-words"
# `update(node, item)` is yours. It keeps, in the register `latest.seattle` or `latest.san_francisco` (that is, `f"latest.{item.stream}"`), the newest reading of that stream as a list `[item.hour, item.value]`.
#
# The chapter's overwriting consumer does that, and is right in the end. But after a crash it handles a batch again, and for a moment the register shows an older hour than before. Write an update that never goes back. The check puts an *observer* beside the consumer: a second node that reads the register twice. The observer must never see a newer hour first and an older hour afterwards.
#
# `node.registers.read(name)` returns `(version, value)`, with `None` as the value of a register that was never written. `node.registers.cas(name, version, value)` writes if the register still has that version.

# %% id="03c-answer"
def update(node, item):
    ### BEGIN SOLUTION
    name = f"latest.{item.stream}"
    version, held = node.registers.read(name)
    if held is None or held[0] < item.hour:
        node.registers.cas(name, version, [item.hour, item.value])
    ### END SOLUTION

# %% [markdown] id="03c-show-words"
# Hour 2 of a run without a fault:

# %% [markdown] id="03c-check-words"
# The check tries one crash anywhere, and the observer's two reads at any moment:

# %% [markdown] id="03c-why" tags=["solution"]
# **Why.** Each value carries its hour, so an update can see that its reading is older than the register's, and leave the register alone. A repeated batch then changes nothing at all. (A shorter way: `cas(name, item.hour - 1, …)`, where the version itself says which hour was written last.)

# %% [markdown] id="03e-task"
# ## (e) Each payment once, from end to end (challenge, 90 minutes)
#
# You get a specification, and no skeleton. Write both sides of the log: a producer that sends payments, and a consumer that books them.
#
# **The systems.** The producer reads payments with `items, next_positions = node.read(positions)`; each read returns one payment, whose `key` is the account and whose `value` is the amount. `node.output.push(value, key)` sends a record with any value: a number, text, or a list of these. The log appends whatever reaches it. The consumer reads the log in the same way, and each of its `items` also has an `offset`; `items` is empty at the end of the log. An account is the register of its name: `node.registers.read("ann")` returns `(version, value)`, with `(0, None)` before the first write, and `node.registers.cas("ann", version, value)` writes if the register still has this version, raises the version by one, and returns whether it wrote. Each side has `node.positions` and `node.state` of its own. Only the consumer writes to registers.
#
# **The specification.** The payments are 5 and 5 for ann, and 7 for bob. The value of an account's register is its balance, or a list that *begins* with the balance; the rest of the list is yours.
#
# - At no moment does an account hold more than the sum of its payments.
# - When both sides have finished, each account holds exactly that sum.
#
# **The faults.** These faults strike either side. The process dies before or after any step, and a new process begins. A request is lost, or its reply: the program sees `OutcomeUnknown`, and if the program does not catch it, the process ends. A request arrives twice. A request is late: its sender sees `OutcomeUnknown`, and the request arrives at any later moment, or never. A process pauses, is replaced, and continues. In the end two faults strike together: a crash and a lost reply, or a crash and a late request.
#
# Here is the specification as the invariant that the check uses:

# %% [markdown] id="03e-hints" tags=["hints"]
# 1. The log will hold some payments twice, and the producer cannot prevent that. What must a record hold, so that
#    the consumer can see a repetition? And which store still knows it after a crash?
# 2. Two payments may be equal, so the amount does not tell them apart. The producer's own position does: every
#    process of the producer sends a payment at the same position. Send the position along.
# 3. "Seen" and "booked" must change in one step. Two registers are two steps, and a crash falls between them; a
#    register and a saved position are two steps, too. One register can hold a list.
# 4. The producer sends a pair of number and amount; the number is the position behind the payment,
#    `next_positions['numbers']`. The consumer keeps a pair in the register of the payment's key: the total, and the
#    newest number in the total. It books a payment only if the payment's number is larger than this number, and
#    writes total and number with one cas. Producer and consumer save the position last. A register without a value
#    counts as total 0, number 0.

# %% id="03e-specification"

# %% [markdown] id="03e-answer-words"
# Your answer begins in the next cell.

# %% id="03e-answer"
def producer(node):
    ### BEGIN SOLUTION
    positions = node.positions.load()
    while node.running(positions):
        items, after = node.read(positions)
        numbered = [after["numbers"], items[0].value]
        node.output.push(numbered, items[0].key)
        node.positions.save(after)
        positions = after
    ### END SOLUTION


def consumer(node):
    ### BEGIN SOLUTION
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            number, amount = item.value
            version, held = node.registers.read(item.key)
            total, newest = held or [0, 0]
            if number > newest:
                booked = [total + amount, number]
                node.registers.cas(item.key, version, booked)
        node.positions.save(positions)
    ### END SOLUTION


pair = {"producer": producer, "consumer": consumer}

# %% [markdown] id="03e-show-words"
# The first payment, in a run without a fault:

# %% [markdown] id="03e-check-words"
# The check explores every schedule within the bounds, which takes some seconds. It answers a wrong pair with the simplest schedule that breaks it.

# %% [markdown] id="03e-why" tags=["solution"]
# **Why.** The log holds some payments twice, and the producer cannot prevent that. But the consumer can *recognise* a repetition. Every process of the producer sends a payment at the same position, so the position names the payment; the amount does not. The consumer keeps the last name beside the balance, in one register, so *booked* and *noted* are one step. A `cas` that is late, or comes from a process that slept, is refused, because the version has moved on. Delivery is at-least-once on both sides, and the effect is exactly once. Chapter 05 moves the recognition into the log, for all consumers: that is Kafka's idempotent producer. Chapter 07 puts balance and position into one transaction.
