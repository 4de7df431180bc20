# %% [markdown] id="title"
# # 09 · The lock-free queue: exercises
#
# Four exercises for [chapter 09](../notebooks/09-the-lock-free-queue.ipynb), about 65 minutes for a warm-up and two tasks, and an evening for the challenge. Each exercise has a task, `show(answer)`, which draws what your answer does, and `check(answer)`, which says *right*, or *wrong* with the simplest run that shows the mistake. Hints go from a nudge, `hint(1)`, to the decisive idea, `hint(4)`. Ask for them whenever you like; after two wrong tries the next hint is offered.

# %% id="set-up"
from exactly_once import OutcomeUnknown
from exactly_once.course import exercises
from exactly_once.lockfree import is_emptied

# %% [markdown] id="09a-task"
# ## (a) Move the hint, and never back (warm-up, 15 minutes)
#
# The hint of a queue may lag behind. But the hint must not go back: a node that follows it would walk again over cells that are known to be full. Many nodes move the hint, each to an index of its own, and each node may be asleep while the others go on.
#
# Write `move(registers, name, index)`. `registers.read(name)` returns `(version, value)`, and `(0, None)` when nothing was written yet; `registers.cas(name, version, value)` writes if the register still has this version, and tells whether it did. Once your function has returned, the hint is at `index` or beyond, for ever. No node may have to wait for another node, and a node whose reply is lost (`OutcomeUnknown`) may look again.

# %% [markdown] id="09a-hints" tags=["hints"]
# 1. Two nodes read the hint, and each sees 0. One node wants the hint at 3, the other at 1. Which node must look
#    again, and when?
# 2. A refused compare-and-swap means that another node has moved the hint since you read it. It does not mean that
#    the hint stands where you want it.
# 3. Loop: read version and hint; if the hint is at your index or beyond, you are done; else write with the version
#    that you read, and loop. A node that gets no reply can loop as well.
# 4. Only a read ends the loop, and never the answer of a write. Read again after every write, whether it succeeded,
#    was refused, or had no answer. A hint that nobody has written is None, and counts as 0.

# %% id="09a-rule"

# %% [markdown] id="09a-rule-words"
# The explorer checks this invariant. The checker writes `moved.3` after your function has returned for index 3.

# %% id="09a-answer"
def move(registers, name, index):
    ### BEGIN SOLUTION
    version, hint = registers.read(name)
    while hint is None or hint < index:
        try:
            registers.cas(name, version, index)
        except OutcomeUnknown:
            pass  # the next look tells
        version, hint = registers.read(name)
    ### END SOLUTION

# %% [markdown] id="09a-show-words"
# One node runs alone, and moves the hint to 2:

# %% [markdown] id="09a-check-words"
# The explorer runs your function alone, in two and three nodes, with a crash and with a lost reply.

# %% [markdown] id="09a-why" tags=["solution"]
# **Why.** A refused compare-and-swap tells that the hint was moved, but not where to. So the node reads again, and gets a version that belongs to the value which it compares. The comparison prevents the hint from going back; the version guarantees that the comparison is still true at the write. And the loop is lock-free: a node repeats only because another node has moved the hint. The library's queue needs less: it tries once, because a hint that lags costs steps, and nothing else.

# %% [markdown] id="09b-task"
# ## (b) A push that helps (task, 25 minutes)
#
# Twenty pushers have filled twenty cells, and each of them died before it moved the hint, which still says 0. The next pusher has to walk. The pushers after it should not have to: one pusher pays for the walk, once.
#
# Write `push(registers, name, value)`, which puts the value into the first empty cell and returns its index. The cells are the registers `f"{name}.{index}"`, and the hint is `f"{name}.hint"`. No two pushes have the same value.
#
# - A push that has returned is there, once. A push that raises `OutcomeUnknown`, or whose process died, is there once or not at all. A push raises only if its value may be missing.
# - The hint never goes back, and never past an empty cell.
# - A push that need not walk takes 8 steps at most. No node waits for another.

# %% [markdown] id="09b-hints" tags=["hints"]
# 1. What does the second push know of the first push's walk? It can read only what the first push has written.
# 2. After your value is in its cell, move the hint behind this cell. Another pusher may have moved the hint
#    meanwhile. At which of your two writes is a refusal a reason to look again, and at which does it not matter?
# 3. The hint only helps: a lost reply about the hint does not matter to your caller. A lost reply about the cell
#    does: tell the caller, or find out what happened.
# 4. The two writes are treated differently. The value must be in a cell: from the hint on, try one cell after the
#    other until cas on an empty cell succeeds, and let an error of this write through. The hint need not move: try
#    once, with the version from the beginning, catch the error of this write, and ignore a refusal. Return the
#    index of the value's cell.

# %% id="09b-queue"

# %% [markdown] id="09b-answer-words"
# A process may die, or stand still for good, at any step. The reply to any step may be lost.

# %% id="09b-answer"
def push(registers, name, value):
    ### BEGIN SOLUTION
    version, hint = registers.read(f"{name}.hint")
    index = first = hint or 0
    while not registers.cas(f"{name}.{index}", 0, value):
        index += 1
    if index >= first:
        try:
            registers.cas(f"{name}.hint", version, index + 1)
        except OutcomeUnknown:
            pass  # the value is there, whatever became of the hint
    return index
    ### END SOLUTION

# %% [markdown] id="09b-show-words"
# Three pushes behind the hint that lags:

# %% [markdown] id="09b-check-words"
# The check first counts the steps of these three pushes. Then two pushers meet, under every schedule with a few switches, a death or a lost reply.

# %% [markdown] id="09b-why" tags=["solution"]
# **Why.** The order of the two writes decides. Cell first, hint second: a pusher that dies in between leaves a hint that lags, and the next pusher moves the hint to the index that it has walked to. In the other order, a pusher that dies leaves an empty cell behind the hint, where no pusher looks any more and every reader stops. If the hint's write is refused, another pusher has moved the hint meanwhile, perhaps less far; then a later push moves it further. And the caller must not hear of a lost reply about the hint: the caller would push again.

# %% [markdown] id="09d-task"
# ## (d) Read while retention sweeps (task, 25 minutes)
#
# A reader is slow: while it reads, retention empties the cells in front of it, and overtakes it. The reader cannot have the records that are gone. But it must not miss a record that is still there, and it should not visit a million emptied cells one by one to get there.
#
# Write `read_from(registers, name, index)`. It returns a list of `(index, value)`, the records from `index` on, in order, and the index to go on from: `([(4, "tea"), (5, "milk")], 6)`. A cell is a register `f"{name}.{index}"`. A cell that was never written has version 0. An emptied cell keeps its version, and holds a value for which `is_emptied(value)` is true. Retention empties cells from the front, and *then* writes the index of the first remaining cell into the register `f"{name}.first"`.
#
# - Each record that you return was there while you read; no record comes twice, neither now nor in the next call.
# - You return every record that you pass and that is not dropped while you read.
# - When twelve records were dropped, before you begin or while you read, 8 steps are enough for the two that are left.

# %% [markdown] id="09d-hints" tags=["hints"]
# 1. There are three kinds of cells: never written, with a record, and emptied. Which kind is the end of the queue?
#    And which kind decides the index that you return?
# 2. The register 'queue.first' says where the remaining cells begin. That was true when you read it, but retention
#    goes on while you read. Which cell tells you that retention has overtaken you?
# 3. Take version and value of a cell from the same read: a second read may find another state. When you meet an
#    emptied cell, ask again where readers begin; and make sure that your index grows if that place is behind you.
# 4. The loop looks at one cell at a time, and a single read gives version and value. Version 0 ends the loop. After
#    a record, note the record and go on by 1. After an emptied cell, go on by 1 as well, or to 'queue.first' if
#    that place is further on: max chooses. Before the loop, max chooses between your index and 'queue.first'.

# %% id="09d-cells"

# %% [markdown] id="09d-answer-words"
# For the last point it is not enough to skip emptied cells.

# %% id="09d-answer"
def read_from(registers, name, index):
    ### BEGIN SOLUTION
    def ahead(place):
        return max(place, registers.read(f"{name}.first")[1] or 0)

    found, index = [], ahead(index)
    while (cell := registers.read(f"{name}.{index}"))[0] > 0:
        if is_emptied(cell[1]):
            index = ahead(index + 1)
        else:
            found.append((index, cell[1]))
            index += 1
    return found, index
    ### END SOLUTION

# %% [markdown] id="09d-show-words"
# Three records, of which the oldest is gone:

# %% [markdown] id="09d-check-words"
# The check lets the queue's own retention and a pusher take their steps in between, wherever they can.

# %% [markdown] id="09d-why" tags=["solution"]
# **Why.** An emptied cell is neither a record nor the end: only version 0 is the end. An emptied cell is also the sign that retention has overtaken the reader, and so the moment to ask again where readers begin. The register `first` lags, because retention writes it after its work; its content is true nevertheless, because an emptied cell stays empty. So the reader uses this register to learn which records are *gone*, never which are *there*. A consumer of Kafka whose offset is no longer in the log continues where `auto.offset.reset` says. The default, `latest`, is the end of the log: then the consumer misses the records that are still there as well.

# %% [markdown] id="09e-task"
# ## (e) A lock-free set (challenge, 150 minutes)
#
# You get a specification, and nothing else, and write a set on registers. The check lets other processes use the set at the same time. Take an evening: a sorted list of registers takes two to four hours. A shorter way of about one hour exists, and `hint(1)` names it.
#
# **The specification.** A class `SortedSet(registers, name)` with three methods: `add(value)` puts a text into the set, and returns `True`, or `False` if it was there; `remove(value)` takes it out, and returns `True`, or `False` if it was not there; `smallest()` returns the smallest value of the set, or `None` when it is empty.
#
# - The set is *linearizable*: each call takes place at one moment between its first step and its end, as if no other process were there. A call that was cut off, by a death or by a lost reply, takes place once or not at all.
# - The set is *lock-free*: wherever a process stands still, the others finish.
# - No register ever holds more than one value of the set.
#
# **What you can rely on.** A read and a compare-and-swap are each one step, and linearizable. Values are texts. Registers cost nothing, and there are as many as you like.
#
# **What you cannot rely on.** Up to three processes call at once. Each process may die, or stop for good, at any step. The reply to any step may be lost: the step raises `OutcomeUnknown`, and was carried out, or was not. The checker makes a new object for each call, so only registers keep anything. A method may raise `OutcomeUnknown` if a reply was lost in it.

# %% [markdown] id="09e-hints" tags=["hints"]
# 1. There are two ways. The long way builds the set itself, a sorted list of registers, and has to guard each
#    pointer. The short way uses what the chapter's queue gives: one order of all pushed values, the same for all.
# 2. If all processes agree on the order of the calls, each process can compute what the set holds and what its own
#    call returns. What must a cell hold for that? And which calls need no cell of their own?
# 3. At which moment does a call take place? A call that changes the set: when its cell is written. A call that
#    changes nothing: when its process sees an empty cell behind all full ones. If the write is refused, another
#    call came first: take that call into account, and decide again.
# 4. Each cell of the log holds one call, its kind and its value. A method walks from cell 0 and carries out every
#    call on a Python set of its own. At the first empty cell the method decides. If the call changes nothing,
#    return the answer without a write. Otherwise try to write the call into the cell, with version 0. After a
#    refusal, read this cell and walk on. One helper can serve all three methods.

# %% id="09e-specification"

# %% [markdown] id="09e-answer-words"
# You may add other methods, and functions beside the class.

# %% id="09e-answer"
class SortedSet:
    ### BEGIN SOLUTION
    def __init__(self, registers, name):
        self.registers, self.name = registers, name

    def add(self, value):
        return self._agreed("add", value)

    def remove(self, value):
        return self._agreed("remove", value)

    def smallest(self):
        return self._agreed("smallest", None)

    def _agreed(self, kind, value):
        held, index = set(), 0
        while True:
            cell = f"{self.name}.{index}"
            version, call = self.registers.read(cell)
            if version:
                held = held | {call[1]} if call[0] == "add" else held - {call[1]}
                index += 1
            elif kind == "smallest":
                return min(held, default=None)
            elif (value in held) == (kind == "add"):
                return False
            elif self.registers.cas(cell, 0, [kind, value]):
                return True
    ### END SOLUTION

# %% [markdown] id="09e-show-words"
# One process makes four calls:

# %% [markdown] id="09e-check-words"
# The check explores thirteen groups, from one process alone to three at once, each under every schedule with a few switches, deaths and lost replies. It judges your class by its histories alone: is there an order of the calls that explains their results?

# %% [markdown] id="09e-why" tags=["solution"]
# **Why.** The queue of the chapter gives all pushed values one order, which all processes see alike. So the calls themselves go into the queue, and each process carries them out, in that order, on a set of its own. In this way any object for one process becomes a lock-free object for many. That is Herlihy's universal construction (1991), and a replicated state machine over a log. A call that changes nothing needs no cell: it takes place when its process sees an empty cell behind all full ones. A refused write means that another call came first, and the process decides again.
#
# The price: each call reads the whole log. A list of registers in order is quicker, and harder (T. Harris, *A Pragmatic Implementation of Non-Blocking Linked-Lists*, 2001): an element is marked before it is unlinked, or an element that is inserted behind it at that moment is lost; and a `smallest` that walks past marked elements may return a value that was never the smallest. The check finds these two mistakes.
