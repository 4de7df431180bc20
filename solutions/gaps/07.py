# %% id="gap-07-fence"
from exactly_once.course import gap
from exactly_once.handlers import EPOCH
from exactly_once.log import ProducerFenced


def take_over(node, engine):
    """Fence earlier processes; return the version of the cell EPOCH after your write."""
    engine.fence()
    version, newest = node.database.read(EPOCH)
    ### BEGIN SOLUTION
    if (newest or 0) > engine.epoch:
        raise ProducerFenced("A later process has taken over.")
    if not node.database.cas(EPOCH, version, engine.epoch):
        raise ProducerFenced("Another process was faster.")
    return version + 1
    ### END SOLUTION


fenced = gap("07-fence", take_over)

# %% [markdown] id="gap-07-fence-hints" tags=["hints"]
# ### shut earlier processes out of the database
#
# 1. Which processes may write their epoch into the cell? Think of a process that falls asleep right after the read,
#    and of a process that the engine has fenced already.
# 2. A process that finds a larger epoch than its own is an earlier one, so it stops. `cas` writes only if no other
#    process has written since the read. If `cas` refuses, the process stops as well.
# 3. Two tests lead to the same error: the cell holds an epoch above `engine.epoch`, or `cas` refuses the write. An
#    empty cell counts as epoch 0. Each write raises a cell's version by 1: which version has the cell after your
#    write?

# %% id="gap-07-finish"
def finish(node, engine):
    """End what is in doubt: commit it, roll it back, or leave it alone."""
    decided = engine.decided()
    for identifier in node.database.prepared():
        epoch = int(identifier.split(".")[0])
        ### BEGIN SOLUTION
        if identifier == decided:
            node.database.commit_prepared(identifier)
        elif epoch < engine.epoch:
            node.database.rollback_prepared(identifier)
        ### END SOLUTION


ended = gap("07-finish", finish)

# %% [markdown] id="gap-07-finish-hints" tags=["hints"]
# ### end what is in doubt
#
# 1. There are three cases: the transaction that was decided; a transaction of an earlier process that was never
#    decided; a transaction that a later process has prepared.
# 2. `node.database.commit_prepared(identifier)` ends the decided one. Can an earlier process still decide its own
#    transaction? Can a later process?
# 3. Of the three cases, two need an action. Commit the decided transaction. Roll back the others of an earlier
#    epoch, because a fenced process can no longer decide: `epoch < engine.epoch`. Leave alone what a later process
#    has prepared.

# %% id="gap-07-sink"
from exactly_once.course import gap
from exactly_once.handlers import INDEX, QUEUE


def consumer(node):
    """Count each message of the queue once."""
    version, index = node.database.read(INDEX)
    while node.running():
        message, positions = node.read({QUEUE: index or 0})
        ### BEGIN SOLUTION
        following = positions[QUEUE]
        node.database.transact(("cas", INDEX, version, following), ("add", "counter", 1))
        version, index = node.database.read(INDEX)
        ### END SOLUTION


beside = gap("07-sink", consumer)

# %% [markdown] id="gap-07-sink-hints" tags=["hints"]
# ### the index beside the count
#
# 1. Each message needs two writes, the count and the index of the next message. What makes both appear together,
#    and what makes the database refuse the writes of a process that was asleep?
# 2. `node.database.transact(…, …)` carries out all operations or none. A ("cas", INDEX, version, …) among them
#    refuses all, unless the index is still as it was read. Then read the index again.
# 3. One transaction holds both writes: a "cas" that moves INDEX to the position behind the message, and an "add" to
#    the counter. The loop then reads INDEX again with its version, because this process or another one has moved
#    it.

# %% id="gap-07-where"
def apply(session, number):
    if session.read("index") != number:
        session.rollback()
        return
    session.add("counter", 1)
    ### BEGIN SOLUTION
    if session.update_where("index", number, number + 1) == 1:
        session.commit()
    else:
        session.rollback()
    ### END SOLUTION


where = gap("07-where", apply)

# %% [markdown] id="gap-07-where-hints" tags=["hints"]
# ### the index in the WHERE clause
#
# 1. `session.update` sets the row, whatever it holds by now. Which statement sets it only if it still holds
#    `number`, and what does this statement return?
# 2. `session.update_where` takes the row, the value that the row must hold, and the new value, and returns how many
#    rows matched. If none matched, another process has applied the message, and the count above must not stay.
# 3. The number of matched rows decides how the transaction ends. One row: this transaction moved the index, and
#    both writes count. No row: a rollback takes the effect back.
