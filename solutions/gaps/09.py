# %% id="gap-09-again"
from exactly_once import OutcomeUnknown
from exactly_once.course import gap


def add_once(registers, by, who):
    ### BEGIN SOLUTION
    while True:
        try:
            version, held = registers.read("number")
            number, names = held or [0, []]
            if who in names:
                return
            if registers.cas("number", version, [number + by, [*names, who]]):
                return
        except OutcomeUnknown:
            pass
    ### END SOLUTION


again = gap("09-again", add_once)

# %% [markdown] id="gap-09-again-hints" tags=["hints"]
# ### repeat it, and do it once
#
# 1. After `OutcomeUnknown` the register itself has to tell whether your write took place. What can you leave in the
#    register that stays there when other nodes write later?
# 2. `held` is None at first, then [number, names]. Read; if `who` is among the names, the
#    change is made. Else `cas` with the new number, and the names with yours added.
# 3. The register holds your name as soon as your write took place, so the read at the beginning of each turn tells
#    what became of a write without an answer. Return in two cases: the name is there, or `cas` succeeded. In all
#    other cases, also after `OutcomeUnknown`, take another turn.

# %% id="gap-09-goes-on"
def add_one(node):
    ### BEGIN SOLUTION
    while True:
        version, number = node.registers.read("number")
        if node.registers.cas("number", version, (number or 0) + 1):
            return
    ### END SOLUTION


adding = gap("09-goes-on", add_one)

# %% [markdown] id="gap-09-goes-on-hints" tags=["hints"]
# ### add one without a lock
#
# 1. No lock is needed if the write itself notices that another node wrote in between. Which of the two results of
#    `read` makes that possible?
# 2. The version. `node.registers.read` returns version and number; the first time the number is None. `cas` returns
#    False when it was refused: what then?
# 3. A refusal costs one more turn: in an endless loop, read, and try to write one more than the read returned. The
#    loop ends only when the write succeeded. For the first number, use `number or 0`.

# %% id="gap-09-leader"
from exactly_once.course import gap
from exactly_once.lockfree import EMPTY, cell


def empty_index(leader, follower):
    ### BEGIN SOLUTION
    index = 0
    while follower.read(cell("queue", index))[0] != EMPTY:
        index += 1
    while leader.read(cell("queue", index))[0] != EMPTY:
        index += 1
    return index
    ### END SOLUTION


searching = gap("09-leader", empty_index)

# %% [markdown] id="gap-09-leader-hints" tags=["hints"]
# ### ask the leader where it matters
#
# 1. A follower shows an earlier moment. Which of its two answers, full or empty, can be out of date?
# 2. A cell never becomes empty again, so 'full' is still true. 'Empty' may be old: ask the leader about this cell,
#    and about all cells after it.
# 3. Use two loops over one `index`. Each goes on by 1 while the cell is not EMPTY. The first loop asks the
#    follower, and the second begins where the first stopped and asks the leader.

# %% id="gap-09-once"
from exactly_once.course import gap
from exactly_once.lockfree import cells_of


def once(view):
    ### BEGIN SOLUTION
    cells = cells_of(view.registers)
    least = 2 if view.done else 0
    return all(least <= cells.count(value) <= 3 for value in ("a", "b"))
    ### END SOLUTION


bounds = gap("09-once", once)

# %% [markdown] id="gap-09-once-hints" tags=["hints"]
# ### what is right of many pushes
#
# 1. How often is a value in the queue at least, once both nodes have finished? And how often at most, if one node
#    dies and its next incarnation pushes all values again?
# 2. `cells_of(view.registers)` lists what the cells hold, and a list has `count`. The lower bound holds at the end
#    only, when `view.done` is True; the upper one always.
# 3. Each of "a" and "b" has two bounds: at most 3 copies at every moment, and at least 2 copies when `view.done`.
#    Before the end the lower bound is 0. The rule holds if both values keep both bounds.

# %% id="gap-09-place"
def push_at_idempotent(queue, value, index):
    ### BEGIN SOLUTION
    if queue.push_at(value, index):
        return True
    found, held = queue.read(index)
    return held == value
    ### END SOLUTION


placing = gap("09-place", push_at_idempotent)

# %% [markdown] id="gap-09-place-hints" tags=["hints"]
# ### push at a prepared place
#
# 1. `queue.push_at(value, index)` returns False when the cell is full. Who can have filled it?
# 2. Yourself, in an earlier incarnation or by a late request, or another pusher. `queue.read(index)` returns
#    (True, what it holds). Read after your `push_at`, not before.
# 3. A push that succeeds is True at once. After a refusal the cell is full, and the value in the cell tells who was
#    there: compare this value with yours.

# %% id="gap-09-sweep"
from exactly_once.course import gap
from exactly_once.lockfree import cell, emptied, is_emptied


def sweep(registers, is_old):
    ### BEGIN SOLUTION
    index = 0
    while True:
        version, value = registers.read(cell("queue", index))
        if not version or not (is_emptied(value) or is_old(value)):
            return index
        if not is_emptied(value):
            registers.cas(cell("queue", index), version, emptied(value))
        index += 1
    ### END SOLUTION


retention = gap("09-sweep", sweep)

# %% [markdown] id="gap-09-sweep-hints" tags=["hints"]
# ### retention
#
# 1. Three kinds of cells: never filled (version 0), emptied before, and filled. At which of them do you stop, and
#    which do you write to?
# 2. `version, value = registers.read(cell("queue", index))`. Stop at version 0, and at a value that is neither
#    emptied nor old. `cas` with this version writes `emptied(value)`; a refusal means that another sweeper was
#    faster.
# 3. An endless loop takes one cell after the other. It ends at a cell that was never filled, and at a value that
#    retention must keep. An emptied cell needs no write. After a write, refused or not, go on with the next cell.
