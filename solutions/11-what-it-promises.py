# %% [markdown] id="title"
# # 11 · What it promises: exercises
#
# Three exercises for [chapter 11](../notebooks/11-what-it-promises.ipynb), about 110 minutes: a warm-up, a task and a challenge. Each exercise has a task, `show(answer)`, which draws what your answer does, and `check(answer)`, which says *right*, or *wrong* with a case or a schedule that shows why. Hints go from a nudge, `hint(1)`, to the decisive idea, `hint(3)`. Ask for them whenever you like; after two wrong tries the next hint is offered.

# %% [markdown] id="11a-task"
# ## (a) The batch that keeps up (warm-up, 15 minutes)
#
# A machine handles a stream on which `rate` inputs arrive in a second. A step takes 2 + inputs + 7 · outputs operations on the stores, one after the other, and each operation takes `latency` ms. A step puts out `outputs` values, however many inputs it takes.
#
# Write `batch(rate, latency, outputs)`. Return the smallest number of inputs a step with which the machine keeps up, so that it handles at least `rate` inputs in a second. Return `None` if no number of inputs is enough. All three arguments are whole numbers; so is your answer.

# %% [markdown] id="11a-hints" tags=["hints"]
# 1. How long may a step with b inputs take, if b inputs arrive meanwhile? How long does it take?
# 2. Reading the inputs takes `rate * latency` ms of every second, whatever the batch is. What is left of the second has
#    to pay for the other operations of all steps of this second. How many steps are there?
# 3. There are rate / b steps in a second, and each takes (2 + 7 · outputs) · latency ms beside its reads. Solve for b,
#    round up, and ask first whether anything is left of the second.

# %% id="11a-answer"
def batch(rate, latency, outputs):
    ### BEGIN SOLUTION
    left = 1000 - rate * latency
    if left <= 0:
        return None
    fixed = rate * latency * (2 + 7 * outputs)
    return max(1, -(-fixed // left))
    ### END SOLUTION

# %% [markdown] id="11a-show-words"
# A hundred inputs a second, 2 ms an operation, one output:

# %% [markdown] id="11a-check-words"
# The check tries nine cases, and compares whole numbers:

# %% [markdown] id="11a-why" tags=["solution"]
# **Why.** A batch shares the operations that a step needs anyway: reading the machine, leaving HANDLING, and seven for each output. It cannot share the read of each input. So there is a rate that one machine never reaches, 1,000 / latency inputs a second, and close to that rate the batch grows without bound. There, the answer is a second machine with a partition of its own.

# %% [markdown] id="11b-task"
# ## (b) A mutant of your own (task, 35 minutes)
#
# A check is worth something if it finds what no other check finds. Write a mutant of the lock-free handler that breaks exactly *one* of six promises, and name the promise: `"exactly-once"`, `"heterogeneous"`, `"lock-free"`, `"race-free"`, `"no downtime"` or `"atomic"`. They mean what they mean in the chapter's table.
#
# `follow(node, stage, as_usual)` gets a stage and returns the next one. `as_usual(stage)` does what the stage asks for, as the library does it, and returns the next stage. You may change what happens before, between and after. A stage is one of the three lists that the next cell shows; a message is what a cell of the queue is to hold. `node.store("queues")` and `node.store("machines")` have `read(cell)`, which returns `(version, value)` and `(0, None)` for a cell that is empty, `cas(cell, version, value)` and `write(cell, value)`. The cells of the queue "output" are `"output.0"`, `"output.1"`, and so on. `node.registers` is a third store, with registers of any name; it has `read` and `cas`, and no `write`. A step whose outcome is unknown raises `OutcomeUnknown`; the loop around your function catches it and reads the machine again.
#
# The check asks every schedule of two nodes that handle one input, with no fault, one crash, or one lost reply. So your mutant must do its work in these bounds.

# %% [markdown] id="11b-hints" tags=["hints"]
# 1. Choose a promise, and think of an observer who would be harmed if it alone did not hold. *Atomic* is about an
#    observer of the queue at any moment; *exactly-once* is about the end.
# 2. For *atomic*: all must be right in the end, whatever happens, with every crash, and nobody may wait. So your mutant
#    makes changes in a cell by `cas` with the version it has read, and each of them can be carried on by a twin.
# 3. In WRITING, put something else into the empty cell first, and then exchange it for the message. Whoever comes in
#    between finds what you put there, and exchanges it; whoever finds the message goes on as usual.

# %% id="11b-stages"

# %% [markdown] id="11b-answer-words"
# Those are the stages. Your mutant:

# %% id="11b-answer"
def follow(node, stage, as_usual):
    ### BEGIN SOLUTION
    if stage[0] == "WRITING":
        queue, message = stage[3][stage[4]]
        cells, cell = node.store("queues"), f"{queue}.{stage[5]}"
        while (found := cells.read(cell))[0] < 2 and found[1] != message:
            cells.cas(cell, found[0], message if found[0] else "coming soon")
    return as_usual(stage)
    ### END SOLUTION


claim = (
    ### BEGIN SOLUTION
    "atomic"
    ### END SOLUTION
)
own_mutant = {"claim": claim, "follow": follow}

# %% [markdown] id="11b-show-words"
# One node with one input, when nothing goes wrong:

# %% [markdown] id="11b-check-words"
# The six checks take some seconds:

# %% [markdown] id="11b-why" tags=["solution"]
# **Why.** The cell holds "coming soon" for a moment, and then the message. In the end all is right, so *exactly-once* sees nothing. Each change is a `cas` with the version that was read, so nothing is overwritten unseen. A twin that finds the stand-in exchanges it, so nobody waits. Only a reader of the queue can see that a value was there which no right run shows, and may have acted on it.

# %% [markdown] id="11c-task"
# ## (c) A second node that shares the decision (challenge, 60 minutes)
#
# Two-phase commit blocks when its coordinator stops: rows are held, and nobody else may decide. Write two-phase commit for two nodes that share the decision, so that nobody is blocked.
#
# `commit(registers, change, willing)` runs on both nodes at once, for one change of two rows, such as `{"a": -3, "b": 3}`. `willing` is the vote of this node, True or False; the other one may vote differently. It returns True if the change was made, False if it was refused. `registers.read(name)` returns `(version, value)`, and `(0, None)` for a register that nobody wrote to; `registers.cas(name, version, value)` writes if the version is this one, and returns whether it did. Each write raises the version by one. Either may raise `OutcomeUnknown`; let it pass, and you are called again.
#
# - A row is the register of its name. It holds `[value, held]`: the value, and the number that is to be added to it while the row is *held*, or None. At first its version is 1 and nothing holds it.
# - First phase: each row is held, as `[value, change]`, whatever the vote. A row that would fall below zero is not; then the change is refused.
# - The decision goes into the register `"decision"`, once: True or False, as the faster node wishes. A node wishes for True if no row would fall below zero and it is willing.
# - Second phase: each row that is held is released, as `[value, None]`, with the new value or the old one.
#
# Once *any* node has returned, both rows are as decided and nothing is held, for ever. Either node may die or stop at any step, for good, or come back much later with a request that was under way.

# %% [markdown] id="11c-hints" tags=["hints"]
# 1. A node that comes late must not begin again with a row that is already released. How does it tell a row that was
#    never held from one that was released? Both have None.
# 2. Versions tell: a row is held by `cas` with version 1 and with no other. The decision is what the register holds,
#    whatever the own `cas` returned.
# 3. Whoever has read the decision releases all rows that are still held, each by `cas` with the version that was read
#    with it, and looks again until none is held. Then it returns the decision, and not what it wished for.

# %% id="11c-specification"

# %% [markdown] id="11c-answer-words"
# That is the rule, as it is checked at every moment. There is no skeleton:

# %% id="11c-answer"
def commit(registers, change, willing):
    ### BEGIN SOLUTION
    wish = willing
    for row, by in change.items():
        version, (value, _) = registers.read(row)
        if version == 1 and value + by < 0:
            wish = False
            break
        registers.cas(row, 1, [value, by])
    registers.cas("decision", 0, wish)
    _, decision = registers.read("decision")
    for row in change:
        while True:
            version, (value, held) = registers.read(row)
            if held is None:
                break
            registers.cas(row, version, [value + held * decision, None])
    return decision
    ### END SOLUTION

# %% [markdown] id="11c-show-words"
# One node, when nothing goes wrong:

# %% [markdown] id="11c-check-words"
# Thirteen worlds are explored, with one node and with two, and nobody may wait for another:

# %% [markdown] id="11c-why" tags=["solution"]
# **Why.** Nothing that the protocol needs is in the memory of a node. What is held stands in the rows, and the decision stands in a register that only the first `cas` can fill. So a node that finds the work half done carries it on, and a node that comes too late finds every one of its `cas` refused: the rows' versions have moved on. Two-phase commit blocks because of *where* its decision lies, and not because of its two phases.
