# %% [markdown] id="title"
# # 04 · Crash points A–E: exercises
#
# Five exercises for [chapter 04](../notebooks/04-crash-points.ipynb), about 105 minutes: a warm-up, three tasks and a challenge. Each has a task; `show(answer)`, which draws what your answer does; and `check(answer)`, which says *right*, or *wrong* with the simplest run that shows the mistake. `hint(1)` is a nudge, the last hint says the decisive idea. Ask for hints whenever you like; after two wrong tries the check offers the next one.

# %% [markdown] id="04a-task"
# ## (a) Predict the damage (warm-up, 10 minutes)
#
# The handler is `at_least_once`, the chapter's `naive`: it writes output, counter, state and positions, in this order. This time the window has 2 hours, the handler increments the counter when the window holds more than 3 numbers, and there are 8 hours. The process dies at **D** of hour 4, between state and positions. A second process continues.
#
# Before you run anything, write a dictionary with four entries:
#
# - `"doubled"`: the hours whose average is in the output more than once;
# - `"missing"`: the hours whose average is not in the output at all;
# - `"wrong"`: the hours with a wrong average;
# - `"counter"`: the number in the counter at the end. Without the crash it would be 7.
#
# The first three are lists of hours; `[]` means none.

# %% [markdown] id="04a-hints" tags=["hints"]
# 1. Which of the four writes had the first process done for hour 4 when it died at D? What does the second one find?
# 2. The second process finds a window that holds hour 4 already, and positions that say hour 4 is still to be read.
#    Write down the hours in the window after each push, from hour 3 on, and trim to two hours.
# 3. At hour 4 the window is 3 3 4 4 in the first process, and 3 3 4 4 4 4 in the second. What is the window at
#    hours 5 and 6?
# 4. At hour 5 the window is 4 4 4 4 5 5, and at hour 6 it is 5 5 6 6. Without a crash the counter ends at 7, one
#    for each of the hours 2 to 8. How often did a process find more than three numbers in its window?

# %% id="04a-answer"
prediction = (
    ### BEGIN SOLUTION
    {"doubled": [4], "missing": [], "wrong": [4, 5], "counter": 8}
    ### END SOLUTION
)

# %% [markdown] id="04a-show-words"
# Your prediction, hour by hour (without a verdict):

# %% [markdown] id="04a-check-words"
# The check compares your prediction with a run. `task_a.hint(1)` gives a hint.

# %% [markdown] id="04a-why" tags=["solution"]
# **Why.** The second process finds a window that holds hour 4, and positions that say hour 4 is still to be read. It reads the hour again, so hour 4 is in the window twice. It pushes the average of hour 4 a second time, with another value, and the average of hour 5 is still computed from the doubled hour. At hour 6 both copies are too old and leave the window together. Hour 4 is counted twice, because the database keeps the first increment.

# %% [markdown] id="04c-task"
# ## (c) A key for each average (task, 20 minutes)
#
# `node.output.push` appends, and a repeated append is in the output twice. Give each average a *key*, its hour, so that a repeated write changes nothing. In other words, make the output *[idempotent](../notebooks/glossary.md#idempotent)*.
#
# The engine's store has *registers*, cells with names. `node.registers.cas(name, 0, value)` writes a value under a name if nothing was ever written under this name, and returns True if it wrote. The registers named `output.0`, `output.1`, `output.2` and so on are read as the output, in this order.
#
# Write a handler whose output is right at every moment, wherever one crash strikes: each hour's average once, in order, and with the right value. The handler must count as before, once for each window above the threshold; here an increment may happen twice. The check goes through every single crash of two runs of 4 hours, with a window of 2 and with one of 3.
#
# Keys alone are not enough. Read the reply to your first try.

# %% [markdown] id="04c-hints" tags=["hints"]
# 1. The store cannot recognise a repeated append. It can recognise a second write to the same place. Which place
#    belongs to hour 3, and to no other hour?
# 2. node.registers.cas(name, 0, value) writes only if nothing was written under that name. With the names
#    output.0, output.1, … the registers are the output, so the number of an hour's register is the hour minus one.
# 3. Now no average is there twice. But some are wrong: after a crash at D the window holds an hour twice, and later
#    averages are computed from this window. How can the handler tell that its window already has this hour?
# 4. Compare with the newest hour in the window: max((reading.hour for reading in window.readings), default=0). Which
#    items may be pushed into the window?

# %% id="04c-answer"
def keyed(node):
    ### BEGIN SOLUTION
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        hour = items[0].hour
        newest = max((reading.hour for reading in window.readings), default=0)
        window.push([item for item in items if item.hour > newest])
        window.trim(node.duration)
        node.registers.cas(f"output.{hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            node.database.increment()
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions
    ### END SOLUTION

# %% [markdown] id="04c-show-words"
# Hour 2 of a run in which nothing goes wrong:

# %% [markdown] id="04c-check-words"
# The reply says what is still to be repaired, even if your answer is right.

# %% [markdown] id="04c-why" tags=["solution"]
# **What remains** is the counter. The key makes a repeated push harmless, the comparison with the newest hour makes a repeated input harmless, and positions and state may then be saved in any order. The increment is in another system, where a key in the engine's store does not help.

# %% [markdown] id="04d-task"
# ## (d) At most one item lost (task, 15 minutes)
#
# Now the opposite choice, *[at-most-once](../notebooks/glossary.md#at-most-once)*, done well. Write a handler with this promise: wherever one crash strikes, no average is in the output twice, no average is wrong, no increment is doubled, and at most one item is lost. (The crash strikes while the handler works on some hour. The average of this hour, the increment, or both may be missing.) Without a crash, nothing is missing.
#
# The chapter's `at_most_once` breaks this promise: a crash at its point B spoils later averages. Use `node.output.push` again. `node.state.save` takes any value that a store can keep: numbers, text, windows, and lists and dictionaries of these. `node.running(positions)` tells whether there is more to read after these positions.

# %% [markdown] id="04d-hints" tags=["hints"]
# 1. An item may be lost, and no effect may be doubled. Which write must come first?
# 2. With the positions first, a crash before the state is saved leaves one hour out of the window, and the next
#    averages are wrong. Could state and positions be saved in one write?
# 3. node.state.save takes any value that a store can keep, such as a list or a dictionary, and saves it in one step.
#    positions.load no longer tells where to continue, so ask node.running(positions).
# 4. Begin with what node.state.load() returns, or with node.start and an empty Window the first time. In the loop,
#    where does the save stand among push and increment, if nothing may be doubled?

# %% id="04d-answer"
from exactly_once import Window

task_d = exercises.open("04d")


def losing(node):
    ### BEGIN SOLUTION
    saved = node.state.load()
    known = isinstance(saved, dict)
    positions = saved["positions"] if known else node.start
    window = saved["window"] if known else Window()
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.state.save({"positions": positions, "window": window})
        node.output.push(window.average())
        if len(window) > node.threshold:
            node.database.increment()
    ### END SOLUTION

# %% [markdown] id="04d-show-words"
# Hour 2 of a run in which nothing goes wrong:

# %% [markdown] id="04d-check-words"
# The reply to a right answer names the price of this promise.

# %% [markdown] id="04d-why" tags=["solution"]
# **Why.** Positions and window record one fact. They are saved in a single step, so they cannot disagree. The save comes before the effects, so no effect is repeated. A crash after the save loses the effects of one item that had not yet been done.

# %% [markdown] id="04e-task"
# ## (e) Break the repaired handler (task, 15 minutes)
#
# A colleague has repaired the handler. Each average has a key, the window takes each hour once, and a register notes each hour that was counted, so that no hour is counted twice. The handler survives a crash at every letter of every hour. Here is its code:

# %% [markdown] id="04e-hints" tags=["hints"]
# 1. Four of its writes can be repeated without harm. The fifth must happen only once. Which line prevents a repetition?
# 2. The note in the register and the increment are two writes to two systems. What if only one of them takes place?
# 3. No letter stands between these two writes. A fault can strike at a step as well: Fault(step, hour, kind), where
#    kind is 'crash before', 'crash after', 'lost request', 'lost reply' or 'duplicated request'.
# 4. The handler counts from hour 3 on. Name a step and a kind so that the note is written and the increment is not.
#    Note that the first register.cas of an hour writes the output.

# %% id="04e-code"

# %% [markdown] id="04e-plan-words"
# Write a fault plan of **one** fault that breaks it. The job has the defaults: 6 hours, a window of 24 hours, a threshold of 4. A fault is `Fault(at, hour, kind)`: at a letter the kind is `"crash"`, at a step it is `"crash before"`, `"crash after"`, `"lost request"`, `"lost reply"` or `"duplicated request"`. The steps are `"input.read"`, `"output.push"`, `"register.cas"`, `"database.increment"`, `"state.save"`, `"positions.save"`, and the two loads.

# %% id="04e-answer"
from exactly_once import Fault, FaultPlan

plan = (
    ### BEGIN SOLUTION
    FaultPlan([Fault("database.increment", 3, "crash before")])
    ### END SOLUTION
)

# %% [markdown] id="04e-show-words"
# The picture shows the handler under your plan:

# %% [markdown] id="04e-check-words"
# Your answer is right if the handler breaks.

# %% [markdown] id="04e-why" tags=["solution"]
# **Why.** The note and the increment are two writes to two systems. When the process dies between them, the note says *counted*, but the counter was not incremented. With the note after the increment, the same crash would double the increment. Section 5 of the chapter shows this for two transactions, and it holds for a register too.

# %% [markdown] id="04f-task"
# ## (f) The counter too (challenge, 45 minutes)
#
# This exercise gives you a specification and no skeleton. In exercise (c) the output is right, and the counter, which is in another system, may be too high. Now output and counter have to be right.
#
# **The systems.** The engine's store has positions, state, output and registers, as before. The counter is a cell named `counter` in a system of its own: `accounts = node.store("accounts")`. There `accounts.read(cell)` returns `(version, value)`, with `(0, None)` before the first write; `accounts.write(cell, value)` writes; `accounts.cas(cell, version, value)` writes only if the cell still has this version, and returns True if it wrote. Each write raises the version by one. No operation writes to `accounts` and to the engine's store in one step.
#
# **The specification.** When the handler has finished, wherever *one* fault struck,
#
# - the output holds the average of each hour once, in order, and with the right value;
# - `counter` in `accounts` is the number of windows that had more than `node.threshold` numbers.
#
# **The faults.** The process dies before or after any step, and a new process starts. A request is lost, or its reply: the handler sees `OutcomeUnknown`, and dies if it does not catch this error. A request arrives twice. A request is late: its sender sees `OutcomeUnknown`, and the request takes effect at any later moment, perhaps after its sender's death, or never.
#
# The check tries every place for each of these faults, with two jobs. Here is the specification as the invariant that is checked:

# %% [markdown] id="04f-hints" tags=["hints"]
# 1. No handler can avoid doing an item again after a crash. So ask of each write: what if it is done a second time?
#    And what if it arrives late, after later writes?
# 2. A handler that reads the counter and writes one more may read its own effect after a crash. When an item is done
#    again, the handler has to send the very same request as the first time. What must the new process know for that?
# 3. cas(cell, version, value) takes effect once, however often it is sent, if the handler computes the version
#    instead of reading it: the n-th counted window expects version n − 1. So the new process must find n in a store,
#    and n must fit positions and window at every moment.
# 4. The last write of an item saves three values in one step. Before this write come two requests, in either order:
#    one cas with a key computed from the hour, and one cas with a version computed from n.

# %% id="04f-specification"

# %% [markdown] id="04f-answer-words"
# `averages` and `counted` are computed from the readings, without any handler. Write your handler below:

# %% id="04f-answer"
from exactly_once import Window


def exact(node):
    ### BEGIN SOLUTION
    accounts, saved = node.store("accounts"), node.state.load()
    known = isinstance(saved, dict)
    positions = saved["positions"] if known else node.start
    window = saved["window"] if known else Window()
    count = saved["count"] if known else 0
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            accounts.cas("counter", count, count + 1)
            count += 1
        saved = {"positions": positions, "window": window, "count": count}
        node.state.save(saved)
    ### END SOLUTION

# %% [markdown] id="04f-show-words"
# Hour 2 of a run in which nothing goes wrong:

# %% [markdown] id="04f-check-words"
# The check explores every schedule with one fault, which takes some seconds. For a wrong handler, the reply is the simplest schedule that breaks it.

# %% [markdown] id="04f-why" tags=["solution"]
# **Why.** Positions, window and count are saved in one step, and last. Until this save an item may be done again, any number of times, and each time the handler sends exactly the same requests: the average of hour *h* to register *h* − 1, and the *n*-th count to version *n* − 1. Each request takes effect once. A late copy is refused, because the cell has a newer version by then. No transaction spans the two systems. The handler gets by with a repeatable computation and numbered writes. Spark's guide to Structured Streaming bases its promise on the same two conditions: sources that can be replayed, and idempotent sinks. A count written without a version, `accounts.write("counter", count)`, survives a crash and a lost reply, but not a late request.
