# %% id="gap-11-aside"
from copy import deepcopy

from exactly_once.course import gap


def aside(function):
    # function(state, inputs) returns (state, [output]), or raises.
    ### BEGIN SOLUTION
    def safe(state, inputs):
        try:
            after, outputs = function(deepcopy(state), inputs)
        except Exception:
            return state, [None, inputs]
        return after, [*outputs, None]

    return safe
    ### END SOLUTION


letters = gap("11-aside", aside)

# %% [markdown] id="gap-11-aside-hints" tags=["hints"]
# ### set an input aside
#
# 1. What may have happened to the state before the function raised? Which state goes on then?
# 2. Define a function inside, which calls `function` in a `try`, and return it. Give `function` a copy of the state, so
#    that the state you hold stays as it was.
# 3. In the `except`, the outputs are None and the inputs. After a step that went well they are the function's own, and
#    None behind them.

# %% id="gap-11-decide"
def decide(registers, wish):
    ### BEGIN SOLUTION
    registers.cas("decision", 0, wish)
    return registers.read("decision")[1]
    ### END SOLUTION


decided = gap("11-decide", decide)

# %% [markdown] id="gap-11-decide-hints" tags=["hints"]
# ### one decision for all
#
# 1. The `cas` says whether it wrote. What is decided when it did not?
# 2. A `cas` may have written although its reply was lost, and a new process does not know what the old one wrote. Where
#    does the decision stand, in every case?
# 3. Try to write the wish where nothing is; then, whatever came of that, look what is there.

# %% id="gap-11-grows"
def grows(seen):
    # Such as [["a"], ["a", "b"]], which grew, and [["a"], []], which did not.
    ### BEGIN SOLUTION
    return all(
        later[: len(earlier)] == earlier for earlier, later in zip(seen, seen[1:], strict=False)
    )
    ### END SOLUTION


observer = gap("11-grows", grows)

# %% [markdown] id="gap-11-grows-hints" tags=["hints"]
# ### a queue that only grows
#
# 1. Compare each look with the next one. Which part of the next one must be equal to the earlier one?
# 2. A longer list is not enough: values may have been replaced, or have come before the others.
# 3. The later list, cut to the length of the earlier one, must be equal to it; and that for each two looks in a row.

# %% id="gap-11-years"
def years(mishaps, batch, pairs):
    ### BEGIN SOLUTION
    p = mishaps * batch / 86_400
    batches_a_year = 365.25 * 86_400 / batch
    return 1 / (pairs * p**2 * batches_a_year)
    ### END SOLUTION


fleet = gap("11-years", years)

# %% [markdown] id="gap-11-years-hints" tags=["hints"]
# ### a fleet of pairs
#
# 1. With which probability are both twins of one pair struck in one batch? How many batches does a year have?
# 2. A day has 86,400 s, and a batch is a small part of a day: the same part of a day's mishaps strikes a node in
#    one batch. This is the probability for one node; both twins of a pair need the square of it. In each batch
#    there are as many chances as there are pairs.
# 3. The number of such batches in a year is the product of three numbers: the pairs, the probability that both
#    twins are struck, and the batches of a year. The average time until such a batch is the inverse of the product.
