# %% id="gap-04-every-place"
from exactly_once import Fault, FaultPlan
from exactly_once.course import gap


def every_place(steps):
    """Return a list of fault plans, each of one crash at hour 3."""
    ### BEGIN SOLUTION
    kinds = ("crash before", "crash after")
    return [FaultPlan([Fault(step, 3, kind)]) for step in steps for kind in kinds]
    ### END SOLUTION


places = gap("04-every-place", every_place)
places

# %% [markdown] id="gap-04-every-place-hints" tags=["hints"]
# ### a crash at every place
#
# 1. The process can die before the first write, between any two writes, and after the last one.
# 2. A fault has three parts: `Fault(step, 3, 'crash before')`, or `'crash after'`. `FaultPlan` takes a list of
#    faults; here each list has one: `FaultPlan([fault])`.
# 3. Write two loops, one over `steps` and one over the two kinds. Each turn of the inner loop makes one `FaultPlan`.

# %% id="gap-04-invariant"
from exactly_once.course import gap


def nothing_twice(view):
    """Tell whether every average in `view.outputs` is there only once."""
    ### BEGIN SOLUTION
    return len(set(view.outputs)) == len(view.outputs)
    ### END SOLUTION


kept = gap("04-invariant", nothing_twice)
kept

# %% [markdown] id="gap-04-invariant-hints" tags=["hints"]
# ### an invariant: nothing twice
#
# 1. `view.outputs` is the list of the averages that are in the output at this moment. Return True or False.
# 2. `prove` also asks the invariant before the first push, when the list is empty. Two equal averages need not be
#    neighbours in the list.
# 3. A set holds each value once. Compare the length of the set with the length of the list.

# %% id="gap-04-never-twice"
from exactly_once.course import gap


def never_twice(node):
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        ### BEGIN SOLUTION
        node.positions.save(next_positions)
        node.state.save(window)
        node.output.push(window.average())
        if len(window) > node.threshold:
            node.database.increment()
        ### END SOLUTION
        positions = next_positions


ordered = gap("04-never-twice", never_twice)
ordered

# %% [markdown] id="gap-04-never-twice-hints" tags=["hints"]
# ### never push an average twice
#
# 1. An average is pushed twice when a process repeats an hour that an earlier process had done. Which write tells
#    a new process where to begin?
# 2. If the positions move past an hour before its average is pushed, no later process pushes that average again.
# 3. The saved positions must say that the hour is done before its average appears in the output: save
#    `next_positions` ahead of the push. The other two writes may stand anywhere.

# %% id="gap-04-one-step"
from exactly_once import Window
from exactly_once.course import gap


def one_step(node):
    saved = node.state.load()
    window, positions = saved or (Window(), node.start)
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        ### BEGIN SOLUTION
        node.output.push(window.average())
        if len(window) > node.threshold:
            node.database.increment()
        node.state.save([window, positions])
        ### END SOLUTION


stepped = gap("04-one-step", one_step)
stepped

# %% [markdown] id="gap-04-one-step-hints" tags=["hints"]
# ### state and positions in one write
#
# 1. `node.state.save` takes any value, a list as well. The line with `saved` shows which list the next process expects.
# 2. Your three writes are the push, the increment (if the window holds more than `node.threshold` numbers) and one save.
#    If the save came before the push, which crash would lose an average?
# 3. The effects come first. The last line saves one list of two things, and `node.positions` is not used at all.

# %% id="gap-04-promise"
from exactly_once.course import gap


def promise(view, right):
    """Tell whether the output keeps the promise; `right` lists the right averages."""
    ### BEGIN SOLUTION
    wrong = set(view.outputs) - set(right)
    missing = set(right) - set(view.outputs)
    return not wrong and (not view.done or not missing)
    ### END SOLUTION


promised = gap("04-promise", promise)
promised

# %% [markdown] id="gap-04-promise-hints" tags=["hints"]
# ### the promise of at-least-once
#
# 1. The promise has two parts. The first must hold at every moment: no wrong average. Before the handler has finished,
#    may an average be missing?
# 2. `set(view.outputs) - set(right)` holds the wrong averages, `set(right) - set(view.outputs)` the missing ones. An
#    average that is in the output twice is in neither set.
# 3. Return True if no average is wrong and, in case `view.done` is True, no average is missing.

# %% id="gap-04-silent-harm"
from exactly_once.course import gap


def silent_harm():
    """Return an order and a letter: ("output", "counter", "state", "positions"), "D"."""
    ### BEGIN SOLUTION
    order = ("state", "output", "counter", "positions")
    return order, "B"
    ### END SOLUTION


silent = gap("04-silent-harm", silent_harm)
silent

# %% [markdown] id="gap-04-silent-harm-hints" tags=["hints"]
# ### harm that nobody can count
#
# 1. A wrong average comes from a wrong window. Between which two writes must the crash fall to leave one?
# 2. Suppose that the state is saved and the positions are not: the hour is done again. Then output and counter must
#    not have been written before the crash. (If the positions are saved and the state is not, the hour is skipped,
#    and output and counter must have been written before the crash.)
# 3. Write the state first and the positions last, and crash right after the state. A is the point before the first
#    write; which letter follows the first write?

# %% id="gap-04-trim"
from exactly_once.course import gap


def trim(readings, hours):
    """Return the readings of the last hours, counted back from the newest."""
    ### BEGIN SOLUTION
    newest = max(reading.hour for reading in readings)
    return [reading for reading in readings if reading.hour > newest - hours]
    ### END SOLUTION


trimmed = gap("04-trim", trim)
trimmed

# %% [markdown] id="gap-04-trim-hints" tags=["hints"]
# ### drop old readings
#
# 1. Ages count back from the newest reading. Which hour is the newest? The last reading of the list need not be the
#    newest.
# 2. `max(reading.hour for reading in readings)` is the newest hour. With 3 hours and a newest hour of 4, the readings
#    of the hours 2, 3 and 4 stay.
# 3. A reading stays if its hour is greater than the newest hour minus `hours`. Return these readings in a new list.

# %% id="gap-04-try-again"
from exactly_once import OutcomeUnknown
from exactly_once.course import gap


def try_again(increment):
    ### BEGIN SOLUTION
    try:
        increment()
    except OutcomeUnknown:
        increment()
    ### END SOLUTION


filled = gap("04-try-again", try_again)
filled

# %% [markdown] id="gap-04-try-again-hints" tags=["hints"]
# ### try again when the outcome is unknown
#
# 1. `increment` raises `OutcomeUnknown` when no reply came. How does a Python program handle an error that it expects?
# 2. Put the call into a `try`, with a branch below it for this one error.
# 3. The `except` branch makes the same call once more. Nothing comes after that call.

# %% id="gap-04-what-it-saves"
from exactly_once.course import gap


def remembers(node):
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.output.push(window.average())
        ### BEGIN SOLUTION
        node.state.save(window)
        node.positions.save(positions)
        ### END SOLUTION


saved = gap("04-what-it-saves", remembers)
saved

# %% [markdown] id="gap-04-what-it-saves-hints" tags=["hints"]
# ### save for the next process
#
# 1. What does the handler load before its loop? The next process finds these two values, and nothing else.
# 2. `node.state.save(…)` and `node.positions.save(…)` store one value each. At which line of the loop do window and
#    positions both include this hour?
# 3. Save both values at the end of each iteration. The window is the state.
