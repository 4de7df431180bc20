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

# %% [markdown] id="gap-04-every-place-hints" tags=["hints"]
# ### a crash at every place
#
# 1. The process can die before the first write, between any two writes, and after the last one.
# 2. A fault has three parts: `Fault(step, 3, 'crash before')`, or `'crash after'`. `FaultPlan` takes a list of
#    faults; here each list has one: `FaultPlan([fault])`.
# 3. Write two loops, one over `steps` and one over the two kinds. Each turn of the inner loop makes one `FaultPlan`.

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

# %% [markdown] id="gap-04-one-step-hints" tags=["hints"]
# ### state and positions in one write
#
# 1. `node.state.save` takes any value, a list as well. The line with `saved` shows which list the next process expects.
# 2. Your three writes are the push, the increment (if the window holds more than `node.threshold` numbers) and one save.
#    If the save came before the push, which crash would lose an average?
# 3. The effects come first. The last line saves one list of two things, and `node.positions` is not used at all.

# %% id="gap-04-promise"
def promise(view, right):
    """Tell whether the output keeps the promise; `right` lists the right averages."""
    ### BEGIN SOLUTION
    wrong = set(view.outputs) - set(right)
    missing = set(right) - set(view.outputs)
    return not wrong and (not view.done or not missing)
    ### END SOLUTION


promised = gap("04-promise", promise)

# %% [markdown] id="gap-04-promise-hints" tags=["hints"]
# ### the promise of at-least-once
#
# 1. The promise has two parts. The first must hold at every moment: no wrong average. Before the handler has finished,
#    may an average be missing?
# 2. `set(view.outputs) - set(right)` holds the wrong averages, `set(right) - set(view.outputs)` the missing ones. An
#    average that is in the output twice is in neither set.
# 3. Return True if no average is wrong and, in case `view.done` is True, no average is missing.

# %% id="gap-04-silent-harm"
def silent_harm():
    """Return an order and a letter: ("output", "counter", "state", "positions"), "D"."""
    ### BEGIN SOLUTION
    order = ("state", "output", "counter", "positions")
    return order, "B"
    ### END SOLUTION


silent = gap("04-silent-harm", silent_harm)

# %% [markdown] id="gap-04-silent-harm-hints" tags=["hints"]
# ### harm that nobody can count
#
# 1. A wrong average comes from a wrong window. Between which two writes must the crash fall to leave one?
# 2. Suppose that the state is saved and the positions are not: the hour is done again. Then output and counter must
#    not have been written before the crash. (If the positions are saved and the state is not, the hour is skipped,
#    and output and counter must have been written before the crash.)
# 3. Write the state first and the positions last, and crash right after the state. A is the point before the first
#    write; which letter follows the first write?

# %% id="gap-04-what-it-saves"
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

# %% [markdown] id="gap-04-what-it-saves-hints" tags=["hints"]
# ### save for the next process
#
# 1. What does the handler load before its loop? The next process finds these two values, and nothing else.
# 2. `node.state.save(…)` and `node.positions.save(…)` store one value each. At which line of the loop do window and
#    positions both include this hour?
# 3. Save both values at the end of each iteration. The window is the state.
