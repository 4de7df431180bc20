# %% [markdown] id="title"
# # 14 · What a guarantee costs: exercises
#
# Three exercises for [chapter 14](../notebooks/14-what-a-guarantee-costs.ipynb), about 75 minutes: a warm-up, a task with five budgets, and a challenge. Each exercise has a task. `show(answer)` draws what your answer does. `check(answer)` says *right*, or *wrong* with the simplest case that shows the mistake. Hints go from a nudge, `hint(1)`, to the decisive idea, the last hint. Ask for a hint whenever you like; after two wrong tries the page offers the next one.

# %% [markdown] id="14a-task"
# ## (a) How many partitions? (warm-up, 10 minutes)
#
# Write `partitions(nodes, latency, rate)`, which returns the smallest number of partitions that makes `rate` records a second. Each partition has a handler of its own, with all its nodes. `nodes` is a list with a dictionary for each node: from the name of a store to the number of operations that the node asks of it for a record. `latency` is a dictionary from the name of a store to the milliseconds of an operation. All numbers are whole.
#
# A node asks for its operations one after the other. The nodes of a partition work beside each other, and each has to get through every record.

# %% [markdown] id="14a-hints" tags=["hints"]
# 1. How long does one node take for a record? Each of its operations takes the latency of the store that it goes to.
# 2. Of several nodes beside each other, which one decides how many records a second come out at the end?
# 3. One partition makes 1000 records a second, divided by the milliseconds of the slowest node. The quotient of the rate
#    and that number is rounded up: half a partition does not exist.

# %% id="14a-answer"
import math

task_a = exercises.open("14a")


def partitions(nodes, latency, rate):
    ### BEGIN SOLUTION
    slowest = max(sum(number * latency[store] for store, number in node.items()) for node in nodes)
    return math.ceil(rate * slowest / 1000)
    ### END SOLUTION

# %% [markdown] id="14a-show-words"
# A handler and its sink in one region, and what your function says:

# %% [markdown] id="14a-check-words"
# The check has nine cases.

# %% [markdown] id="14a-why" tags=["solution"]
# **Why.** What a node does comes one after the other, so its operations add up. What nodes do beside each other does not: in the long run the slowest sets the pace, and the others wait for it, or leave it behind with a queue that grows. So a handler with two operations is no faster than its sink with three.

# %% [markdown] id="14b-task"
# ## (b) The cheapest strategy that keeps the promise (task, 25 minutes)
#
# A team has a promise to keep, a rate to reach, and stores of some latency. For each of the five budgets below choose the strategy that keeps the promise with the fewest partitions, and say how many partitions that takes. A partition has a handler of its own, with all its nodes. The strategies are those of the course: `at_least_once`, `at_most_once`, `idempotent_output`, `transactional`, `two_phase`, `offset_in_sink`, `lock_free`, `structured_streaming`.
#
# `counted(name)` tells what a strategy asks of its stores for a record. `predicted(counted(name), latency)` tells how many records a second one handler makes: its `rate` is that of the slowest node. `latency` is a number of seconds, or a function of the store and the operation. The counter is in the store `"database"`; all else is in the other stores. Records are struck one by one: no step takes several.

# %% [markdown] id="14b-hints" tags=["hints"]
# 1. Which strategies keep a promise does not depend on the latency, and what they cost does not depend on the promise.
#    Make a list of each.
# 2. A weaker promise may be kept by a stronger strategy. Look at all that keep it, not only at those that were made for it.
# 3. Where one store is far away, count only the operations on that store, for each node. Who asks it once for a record?
# 4. Where two nodes work on a partition at once, fencing is no help: it makes one of the two give up. Only one strategy
#    was made for twins. The number of partitions is the rate, divided by the rate of one handler, rounded up.

# %% [markdown] id="14b-budgets-words"
# The budgets:

# %% id="14b-budgets"

# %% [markdown] id="14b-answer-words"
# Your choice, a dictionary: for the name of each budget a strategy and a number of partitions, such as `("two_phase", 12)`:

# %% id="14b-answer"
from exactly_once.costs import counted, predicted

choice = (
    ### BEGIN SOLUTION
    {
        "one region": ("offset_in_sink", 8),
        "one region, twice allowed": ("offset_in_sink", 8),
        "a far database": ("structured_streaming", 25),
        "a far database, twice allowed": ("at_least_once", 24),
        "no take-over": ("lock_free", 4),
    }
    ### END SOLUTION
)

# %% [markdown] id="14b-show-words"
# What your choice costs:

# %% [markdown] id="14b-check-words"
# The check kills each node at every crash point, and counts. It takes some ten seconds.

# %% [markdown] id="14b-why" tags=["solution"]
# **Why.** In one region the cheapest strategy is the one whose slowest node asks most seldom: output, state and position are one transaction, so a record takes two operations of the handler and, beside it, three of its sink. That it also counts each record once costs nothing: the strategies with the weaker promise ask five times, one after the other, since they write in several steps. With a far database the sink's three operations have two on the far side, and two-phase commit has two there, too; the micro-batch engine goes there once for a record, with its id beside the rows. At least once does that as well, and asks the near stores once less. And where no node may wait for another one's end, fencing is ruled out, so the seventeen operations of the lock-free handler are the price of a promise that nobody else keeps.

# %% [markdown] id="14c-task"
# ## (c) Three operations a record (challenge, 40 minutes)
#
# A specification and no skeleton. Write a handler, a function of the node, that leaves what exercise 13d asked for, and asks its stores for at most three operations a record:
#
# - the output has the average of each hour's window once, in order (the window holds the readings of the last `node.duration` hours, as in chapter 04);
# - in the database the table `readings` holds one number: how many readings all windows held together. `node.database.transact(…)` carries out several of `("cas", cell, version, value)` and `("add", table, amount)` in one transaction, all or none: a `cas` whose cell has another version leaves everything as it is.
#
# The output is in the engine's store, as `node.registers`, `node.state`, `node.engine()` and the rest; the database is another system. No step writes to both. A worked answer to 13d has four operations: it reads, writes to a register, goes to the database, and saves.
#
# The check explores every schedule with one fault: a crash, a lost request, a lost reply, a request that arrives twice, a late request. Then it counts, in two runs of different length, so that what you do at the start and at the end is free. Here is the specification as the invariant that is checked:

# %% [markdown] id="14c-hints" tags=["hints"]
# 1. Which of the four operations of 13d go to the same store? What is in one store can be in one transaction.
# 2. `node.engine()` has `begin()`, `push(value)`, `save_state(state)`, `save_positions(positions)` and `commit()`, which alone is an
#    operation. Before anything else it wants `fence()`: a commit of an earlier incarnation is refused from then on.
# 3. The order of the two transactions matters. The one that comes first may be repeated by the next incarnation, so it
#    has to be the one that refuses a repetition: the database's, with its cell.

# %% id="14c-specification"

# %% [markdown] id="14c-answer-words"
# Your handler:

# %% id="14c-answer"
from exactly_once import Window


def mine(node):
    ### BEGIN SOLUTION
    engine = node.engine()
    engine.fence()
    positions = node.positions.load()
    window = node.state.load()
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        hour = items[0].hour
        node.database.transact(("cas", "done", hour - 1, hour), ("add", "readings", len(window)))
        engine.begin()
        engine.push(window.average())
        engine.save_state(window)
        engine.save_positions(positions)
        engine.commit()
    ### END SOLUTION

# %% [markdown] id="14c-show-words"
# Hour 2 of a run in which nothing goes wrong:

# %% [markdown] id="14c-check-words"
# The check proves it first, and then counts:

# %% [markdown] id="14c-why" tags=["solution"]
# **Why.** Output, state and positions are in one store, so one transaction writes them, and nothing has to be repeatable there. The database is another store, so it has a transaction of its own, which comes first and can be repeated: only hour *h* moves the cell from version *h* − 1. A promise that holds over two systems takes an operation on each of them and one to read, and that is three. Fewer are possible where an operation may carry several records: two hours in each transaction make two operations a record, and every record waits for the second hour.
