# %% id="gap-10-handling"
def handling(node, function, state, positions):
    ### BEGIN SOLUTION
    inputs, positions = node.read(positions)
    state, outputs = function(state, inputs)
    return ["PREPARING", state, positions, outputs, 0]
    ### END SOLUTION


left = gap("10-handling", handling)

# %% [markdown] id="gap-10-handling-hints" tags=["hints"]
# ### leave HANDLING
#
# 1. A twin that finds PREPARING only writes the outputs, and then goes on to the next inputs. From where does it take
#    the state and the positions for those?
# 2. So the stage holds the state that the function returned, and the positions behind the inputs. If it held the old
#    ones, the inputs would be handled again. Which output is written first?
# 3. The read returns inputs and positions, and the function returns state and outputs: the stage takes the new
#    positions and the new state. Its list has five entries: the kind, the new state, the new positions, the
#    outputs, and the number of the first output.

# %% id="gap-10-loop"
def loop(registers, name, first, follow):
    # `first` is the stage while the register is empty.
    ### BEGIN SOLUTION
    while True:
        version, stage = registers.read(name)
        following = follow(stage or first)
        if following is None:
            return
        registers.cas(name, version, following)  # refused: a twin was faster
    ### END SOLUTION


looped = gap("10-loop", loop)

# %% [markdown] id="gap-10-loop-hints" tags=["hints"]
# ### the loop
#
# 1. The `cas` was refused: a twin has made a transition. Which stage is the machine in now, and is the stage that you
#    computed still the one that follows?
# 2. Whether the `cas` wrote or not, the next thing to do is the same. Which version belongs to which stage?
# 3. Each pass reads version and stage together, follows the stage, and tries one `cas` with this version. The loop
#    ends only when `follow` returns None.

# %% id="gap-10-no-outputs"
def next_stage(state, positions, outputs, k):
    # The article's: return ["PREPARING", state, positions, outputs, k], whatever they are.
    ### BEGIN SOLUTION
    while k < len(outputs) and outputs[k] is None:
        k += 1
    if k == len(outputs):
        return ["HANDLING", state, positions]
    return ["PREPARING", state, positions, outputs, k]
    ### END SOLUTION


none = gap("10-no-outputs", next_stage)

# %% [markdown] id="gap-10-no-outputs-hints" tags=["hints"]
# ### an output that is none
#
# 1. The article's PREPARING takes `outputs[k]` whatever `outputs` is. For which `k` is there nothing to take? And
#    what is to be done with an output that is `None`?
# 2. Look for the first `k`, from the one that you were given, whose output is not None. `0` and `False` are
#    outputs like others. If there is none up to `len(outputs)`, the step is done.
# 3. Raise `k` as long as there is an output k and it is None. Then there are two cases: `k` has come to the end of the
#    outputs, or it stands at an output.

# %% id="gap-10-pure"
# A memory of its own: numbers = itertools.count(1), and each call returns
# state, [[next(numbers), order]]. The state is None before the first order.


def invoices(state, inputs):
    [order] = inputs
    ### BEGIN SOLUTION
    number = (state or 0) + 1
    return number, [[number, order]]
    ### END SOLUTION


pure = gap("10-pure", invoices)

# %% [markdown] id="gap-10-pure-hints" tags=["hints"]
# ### no memory outside the state
#
# 1. Who calls the function? Any node, any number of times, for the same order. So what may the number depend on?
# 2. The state is what the machine keeps: let it be the number that was given last. It is None before the first.
# 3. The new number is one more than the state, or 1 at first. It is returned twice: as the new state, and in the output.

# %% id="gap-10-writing"
def writing(queue, state, positions, outputs, k, index):
    # ["HANDLING", state, positions], or ["PREPARING", state, positions, outputs, k]
    ### BEGIN SOLUTION
    if not queue.push_at_idempotent(outputs[k], index):
        return ["PREPARING", state, positions, outputs, k]
    if k + 1 < len(outputs):
        return ["PREPARING", state, positions, outputs, k + 1]
    return ["HANDLING", state, positions]
    ### END SOLUTION


wrote = gap("10-writing", writing)

# %% [markdown] id="gap-10-writing-hints" tags=["hints"]
# ### what follows WRITING
#
# 1. There are three cases: a stranger has the cell, the output is written and another one is left, and the last output
#    is written.
# 2. With a stranger in the cell, output k is not written anywhere. Which stage looks for a place? For which output?
# 3. Ask two questions in this order. Is output k in its cell? If not, output k needs another place. Is there an
#    output behind output k, `k + 1 < len(outputs)`? If so, the next output needs a place. If not, the step is done,
#    and the machine handles the next inputs.
