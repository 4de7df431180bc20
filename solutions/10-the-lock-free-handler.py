# %% [markdown] id="title"
# # 10 · The lock-free handler: exercises
#
# Four exercises for [chapter 10](../notebooks/10-the-lock-free-handler.ipynb), about 125 minutes: a warm-up, two tasks and a challenge. Each has a task, `show(answer)`, which draws what your answer does, and `check(answer)`, which says *right*, or *wrong* with the simplest schedule that shows it. Hints go from a nudge, `hint(1)`, to the decisive idea, the last one. Ask for them whenever you like; after two wrong tries the next one is offered.

# %% [markdown] id="10a-task"
# ## (a) The database's handler at read committed (warm-up, 20 minutes)
#
# The last handler of the chain reads messages from a queue and applies them to the counter in a database. It keeps the index of the next message beside the counter, and changes both in one transaction. The first cell below shows such a handler, as article 3 has it. Two nodes run it at once, on a database at *read committed*: a statement sees what is committed when it begins, and a statement that changes a row which another transaction has changed waits until that transaction ends.
#
# The handler is wrong there. Write `consume(session, read)`, which is right at read committed. It gets a transaction that has begun, and must commit it or roll it back on every way out; afterwards it is called again with a new one. `read(index)` returns the amount of the message at an index, and the node ends there if no message is left. The session has these statements:
#
# - `read(row)` returns the value; `read_for_update(row)` locks the row as well;
# - `update(row, value)`, `add(row, number)`, `insert(row, value)` and `update_where(row, expected, value)`, which changes the row only if it has the expected value, return how many rows they have changed;
# - `commit()` and `rollback()`.
#
# The rows are `"index"`, the index of the next message, and `"counter"`, the sum of all messages before it. Amounts may be negative.

# %% [markdown] id="10a-hints" tags=["hints"]
# 1. Both nodes may read index 0, and both go on from there. Which of the statements could notice that the other node
#    was faster, and when?
# 2. An `UPDATE` with the old index in its `WHERE` clause changes no row if the index has moved on. What must become of
#    the amount that was added before?
# 3. Look at the number that `update_where` returns: with 0 the transaction is rolled back. Or lock the index when it is
#    read, so that the second node waits, and reads what the first one has left.

# %% id="10a-article"

# %% [markdown] id="10a-answer-words"
# That is the article's handler. Yours:

# %% id="10a-answer"
def consume(session, read):
    ### BEGIN SOLUTION
    index = session.read("index")
    session.add("counter", read(index))
    if session.update_where("index", index, index + 1):
        session.commit()
    else:
        session.rollback()
    ### END SOLUTION

# %% [markdown] id="10a-show-words"
# One node that consumes two messages, when nothing goes wrong:

# %% [markdown] id="10a-check-words"
# The check explores one node, two nodes, and a crash:

# %% [markdown] id="10a-why" tags=["solution"]
# **Why.** *In one transaction* says that both changes take place or neither does. It does not say that what was *read* is still true when they do. Two nodes read index 0 and both apply message 0; the second one waits for the first one's row lock, and then sets the index to 1 once more: the counter has moved twice. The index in the `WHERE` clause makes the question part of the write, as a compare-and-swap does. Comparing the *counter* would not do: an amount that is taken back brings its old value back, while the index never returns. On a snapshot (PostgreSQL's *repeatable read*) the database itself refuses to change a row that has changed since, and the article's handler is right.

# %% [markdown] id="10b-task"
# ## (b) A push that may be repeated, without a prepared place (task, 25 minutes)
#
# A plain push that is made again doubles its message. The machine avoids that by a place that is fixed first. There is another way, which needs no PREPARING, and it shows what PREPARING is for.
#
# Write `push_once(registers, name, message, since)`. It puts a message into the queue and returns the index of its cell. It may be called for the same message any number of times: by a new process that knows nothing, by a twin at the same moment, after an answer that was lost. The message is there once all the same.
#
# - The cells are the registers `f"{name}.{index}"`, from 0 on, and there is no hint. `registers.read(cell)` returns `(version, value)`, and `(0, None)` for an empty cell; `registers.cas(cell, version, value)` writes if the version is this one, and returns whether it did. Either may raise `OutcomeUnknown`; let it pass, and you are called again.
# - No two different messages are equal: each has its sender and its number in it.
# - A reader stops at the first empty cell, so no cell may be left out.
# - Retention may have emptied a cell. It then holds `emptied(value)`, a mark that only the same value has.
# - All cells before `since` were full before this message was thought of. Behind 12 such cells, 6 steps are enough.

# %% [markdown] id="10b-hints" tags=["hints"]
# 1. A compare-and-swap that was refused says that the cell is full. Who may have filled it, and with what?
# 2. The message may have been put there by an earlier process of yours, by a twin, or by a request that was late.
#    So look what is in the cell before you go on to the next one, each time.
# 3. Retention may have emptied the cell since: it then holds `emptied(message)`, which nobody but the owner of
#    that message takes for it. And a cell before `since` cannot hold it.

# %% id="10b-rule"

# %% [markdown] id="10b-answer-words"
# That is the rule, as it is checked at every moment. A push that has returned writes down where its message is, as `pushed.1.0`.

# %% id="10b-answer"
from exactly_once.lockfree import emptied


def push_once(registers, name, message, since):
    ### BEGIN SOLUTION
    index = since
    while not registers.cas(f"{name}.{index}", 0, message):
        _, held = registers.read(f"{name}.{index}")
        if held in (message, emptied(message)):
            return index
        index += 1
    return index
    ### END SOLUTION

# %% [markdown] id="10b-show-words"
# A push behind 12 full cells:

# %% [markdown] id="10b-check-words"
# Thirteen small worlds are explored: each kind of fault, twins, another sender, and retention.

# %% [markdown] id="10b-why" tags=["solution"]
# **Why.** Cells are filled in order and never change their owner. A push that goes from cell to cell, and looks into each cell that refuses a write, either finds the message or comes to a cell that every other push of this message would have to fill as well. The comparison after *each* refusal is what counts: a push that looks for its message first, and then goes to the end without looking, misses a twin's that came in between. And `next_index` followed by `push_at_idempotent` doubles, since `next_index` goes past full cells without looking into them.
#
# So PREPARING is not the only way to be idempotent. It is the way that needs no walk: without it, each repeated push begins at `since`, and `since` has to be kept somewhere. The machine keeps the place.

# %% [markdown] id="10c-task"
# ## (c) PREPARING, for all outputs at once (task, 30 minutes)
#
# In the chapter each output has its own PREPARING and its own WRITING, so a step with three outputs takes seven transitions. This machine takes three, whatever a step sends: PREPARING finds the places of *all* its messages, and WRITING puts them there, one after the other.
#
# Write `prepare(node, stage)`, which returns the stage that follows. The machine makes the compare-and-swap.
#
# - `stage` is `["PREPARING", state, positions, messages]`, where `messages` is a list of `[queue, message]`. Several may be for one queue, and two of them may be equal: both are meant.
# - Return `["WRITING", state, positions, messages, places]` with an index for each message; or `["HANDLING", state, positions]` if there is none.
# - The cells of a queue are `f"{queue}.{index}"` in `node.store("queues")`, with `read(cell)` as ever. `Queue(node.store("queues"), queue).next_index()` returns the index of the first empty one.
# - A reader of a queue must find each message, in the order of `messages`, and never a gap. Other handlers send to the same queues.
#
# WRITING makes `push_at_idempotent` of each message at its place, in order. If another handler's message is in one of the places, it goes back to PREPARING with the messages that are left.

# %% [markdown] id="10c-hints" tags=["hints"]
# 1. Each message needs an index that is empty now. Two messages to one queue need two, and a reader must not find
#    a gap between them.
# 2. `Queue(node.store('queues'), queue).next_index()` is the first empty cell of a queue. Asked twice it gives the
#    same: nothing was written. Remember, for each queue, which places you have given away.
# 3. The next place behind one that was given away is the next *empty* one: another handler may have filled a cell
#    meanwhile. `node.store('queues').read(f'{queue}.{index}')` returns (0, None) for an empty cell. And without a
#    message there is nothing to write: the step is done.

# %% id="10c-stages"

# %% [markdown] id="10c-answer-words"
# The stages of a step with three messages, where the queue of bills has one cell full. (The messages themselves are shorter here than in the machine.)

# %% id="10c-answer"
from exactly_once.lockfree import Queue


def prepare(node, stage):
    ### BEGIN SOLUTION
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]
    cells, places, last = node.store("queues"), [], {}
    for queue, _ in messages:
        index = last[queue] + 1 if queue in last else Queue(cells, queue).next_index()
        while cells.read(f"{queue}.{index}")[0]:
            index += 1
        places.append(index)
        last[queue] = index
    return ["WRITING", state, positions, messages, places]
    ### END SOLUTION

# %% [markdown] id="10c-show-words"
# One order with three messages, two of them to one queue:

# %% [markdown] id="10c-check-words"
# Thirteen worlds are explored, with other handlers, with two nodes, a crash and a late request.

# %% [markdown] id="10c-why" tags=["solution"]
# **Why.** An index that is empty is not reserved: asked twice, `next_index` gives it twice. Two different messages at one place cost another round, since the second one finds the first one there. Two *equal* ones cost a message, because the second one takes the first for itself. So the places of a queue have to differ, and the next one behind a place is the next *empty* one, since another handler may have filled the cell there meanwhile. That leaves no gap: a message is written only after all before it, and the cells in between are full already.
#
# Nobody can lose a place to a twin, either: all nodes read the same list of places out of the machine, and what one of them finds in a full cell all others find there, too.

# %% [markdown] id="10e-task"
# ## (e) The whole general form (challenge, 50 minutes)
#
# A specification, and nothing else. You write the machine; the check is everything that may strike it.
#
# **The function.** `lock_free(node, function, queues, name)` runs a pure `function(state, inputs) → (state, outputs)` over all inputs, and returns when there is none left. Any number of nodes call it at the same time, with the same arguments. `name` is the handler's; other handlers have other names. The state before the first input is `None`. `outputs` is a list with a value for each of `queues`, or `None` for nothing; it may be shorter, also empty, and `queues` may be empty.
#
# **What you can use.** `node.start` are the positions before the first input; `node.running(positions)` says whether there may be an input left; `[inputs], following = node.read(positions)` gives the next inputs, and the positions after them. `node.store("machines")` and `node.store("queues")` are two stores that share nothing. Each has `read(cell)`, which returns `(version, value)`, `(0, None)` for a cell that nobody wrote to, and `cas(cell, version, value)`, which returns whether it wrote. That is all.
#
# **The queues.** An output queue is the cells `f"{queue}.{index}"` of the store `"queues"`, from 0 on; any other cell is yours. A cell holds a list whose last entry is the value; what stands before it is your business. Readers go on until the first empty cell.
#
# **The faults.** A node dies before or after any step, and its next process knows nothing. A node is taken for dead, another process takes over, and then the first one wakes up and goes on. A request is lost, or its reply: the step raises `OutcomeUnknown`, and if you let it pass, the process ends. A request arrives twice, or late: at any later moment, or never. Two *different* handlers send to one queue, and their values may be equal. An input queue may be empty, for ever or for a while.
#
# Nobody may have to wait for another node. And:

# %% [markdown] id="10e-hints" tags=["hints"]
# 1. One register knows how far the handler is. A node that has died, slept or lost a reply reads it again, and
#    goes on from there. What has to be in it before anything is sent?
# 2. Three stages: what to read (state, positions); what is to be sent, fixed, and a place still to be found; the
#    place. Each is left by a cas with the version that was read with it. After a refused cas, and after an
#    OutcomeUnknown, read the register again.
# 3. In the last stage, cas the message into its place with version 0. If that is refused, look: an equal message
#    is your own, or a twin's; another one is another handler's, and a new place is needed. Two handlers may send
#    equal values: what has to be in the message?

# %% id="10e-specification"

# %% [markdown] id="10e-answer-words"
# There is no skeleton. What has to be fixed before anything is sent?

# %% id="10e-answer"
from exactly_once import OutcomeUnknown


def lock_free(node, function, queues, name):
    ### BEGIN SOLUTION
    machines, cells = node.store("machines"), node.store("queues")

    def handled(state, positions):
        [inputs], positions = node.read(positions)
        state, outputs = function(state, inputs)
        step = sum(positions.values())
        sent = zip(queues, outputs, strict=False)  # there may be fewer outputs
        messages = [[queue, [name, step, one]] for queue, one in sent if one is not None]
        return after(state, positions, messages)

    def after(state, positions, messages):
        kind = "PREPARING" if messages else "HANDLING"
        return [kind, state, positions, messages]

    def prepared(state, positions, messages):
        index = 0
        while cells.read(f"{messages[0][0]}.{index}")[0]:
            index += 1
        return ["WRITING", state, positions, messages, index]

    def written(state, positions, messages, index):
        queue, message = messages[0]
        cell = f"{queue}.{index}"
        if cells.cas(cell, 0, message) or cells.read(cell)[1] == message:
            return after(state, positions, messages[1:])
        return ["PREPARING", state, positions, messages]

    ended = False
    while not ended:
        try:
            version, stage = machines.read(name)
            kind, state, positions, *rest = stage or ["HANDLING", None, node.start]
            if kind == "HANDLING":
                ended = not node.running(positions)
                following = None if ended else handled(state, positions)
            elif kind == "PREPARING":
                following = prepared(state, positions, *rest)
            else:
                following = written(state, positions, *rest)
            if not ended:
                machines.cas(name, version, following)
        except OutcomeUnknown:
            pass  # the next look at the machine tells
    ### END SOLUTION

# %% [markdown] id="10e-show-words"
# One node that adds two numbers, when nothing goes wrong:

# %% [markdown] id="10e-check-words"
# Twenty-four small worlds are explored, from one node that nothing happens to, to two that both die, and three at once. It takes up to half a minute.

# %% [markdown] id="10e-why" tags=["solution"]
# **Why.** The register holds all there is to know, so a node needs no memory: a new process, a twin and a sleeper that wakes up all read it and go on from there. State, positions and messages change in one compare-and-swap, before anything is sent; from then on nobody computes anything that others could compute differently. A place is fixed before it is written to, so all who write put the same message into the same cell, and a cell that is full answers whether it was us. *Us* is the handler, not the node: the message carries the name and the step, and twins have both in common.
#
# Two other forms are right as well, and the check accepts them: all places prepared at once (exercise c), and no place at all, with a walk that compares from cell to cell (exercise b). What none of them can do without is the first compare-and-swap. A node that sends before this compare-and-swap may die, and the next process may find other inputs.
