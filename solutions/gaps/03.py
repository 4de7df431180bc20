# %% id="gap-03-ask"
from exactly_once import OutcomeUnknown
from exactly_once.course import gap
from exactly_once.handlers import insist


def push_or_ask(node, record):
    ### BEGIN SOLUTION
    while True:
        try:
            return node.output.push(record.value, record.key)
        except OutcomeUnknown:
            if record.value in insist(node.output.read):
                return None
    ### END SOLUTION


asked = gap("03-ask", push_or_ask)

# %% [markdown] id="gap-03-ask-hints" tags=["hints"]
# ### ask before you send again
#
# 1. The push stands in a `try`. What can the branch for `OutcomeUnknown` find out before the loop pushes again?
# 2. `node.output.read()` returns the values in the log. The read can get lost as well, so `insist` on it. The second
#    push can get lost like the first, so a loop stands around the whole `try`.
# 3. The error does not say whether the record is in the log, but the log does: ask `insist(node.output.read)`. If
#    the record's value is among the values, the function is finished. If not, the loop pushes again.

# %% id="gap-03-copies"
def copies(producer, kind):
    ### BEGIN SOLUTION
    appended = kind in ("lost reply", "crash after")
    sent_again = producer == "retry"
    return int(appended) + int(sent_again)
    ### END SOLUTION


counting = gap("03-copies", copies)

# %% [markdown] id="gap-03-copies-hints" tags=["hints"]
# ### count the copies
#
# 1. Two questions decide the number. Had the log appended the record when the fault struck? And does the producer
#    send the record again?
# 2. After a lost reply, and after a crash behind the append, the log holds one copy. After the other two faults it
#    holds none.
# 3. Add two numbers, each 0 or 1: one copy if the log had appended the record when the fault struck, and one more
#    if the producer sends again. In Python `int(True)` is 1.

# %% id="gap-03-nothing-lost"
def nothing_lost(view):
    ### BEGIN SOLUTION
    return not view.done or set(view.outputs) >= {1, 2, 3}
    ### END SOLUTION


rule = gap("03-nothing-lost", nothing_lost)

# %% [markdown] id="gap-03-nothing-lost-hints" tags=["hints"]
# ### at-least-once as a rule
#
# 1. At which moment is a record lost, rather than not there yet?
# 2. `view.done` says whether the producer has finished. Before that, the rule returns True.
# 3. When the producer has finished, the values 1, 2 and 3 must all be in the log; a value that is there twice does
#    no harm here. Sets ignore repetitions, and `>=` between sets asks whether the left set contains the right one.

# %% id="gap-03-producer"
from exactly_once import OutcomeUnknown
from exactly_once.course import gap


def insist(operation, *arguments):
    while True:
        try:
            return operation(*arguments)
        except OutcomeUnknown:
            continue


def retrying(node):
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        ### BEGIN SOLUTION
        insist(node.output.push, items[0].value, items[0].key)
        insist(node.positions.save, next_positions)
        ### END SOLUTION
        positions = next_positions


written = gap("03-producer", retrying)

# %% [markdown] id="gap-03-producer-hints" tags=["hints"]
# ### send again until there is an answer
#
# 1. Two steps are missing. One appends the record to the log, and one notes that the record is sent. Which of the
#    two may a crash cut off without losing the record?
# 2. `insist` takes an operation and its arguments, as in `insist(node.read, positions)`. The record has
#    `items[0].value` and `items[0].key`.
# 3. The append comes first and the position second: a crash between the two repeats a record, and the other order
#    loses a record. Insist on each of the two. The position that says "sent" is `next_positions`.
