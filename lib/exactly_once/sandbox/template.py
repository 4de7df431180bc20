"""A template for a handler of your own: a pure function (state, inputs) → (state, outputs). Copy it and change it.

    exactly-once report my_functions.py:join --first '{"left": [], "right": []}' --inputs left,right --nodes 2

- The state is what the function remembers: numbers, text, None, lists, dictionaries with text as keys. `--first` is
  the state before any input.
- The inputs are a list: the next value of each queue of `--inputs`, or None while one has none; `--values` are the
  values to explore it with, such as '[["a", "b"], [1]]'. Without `--inputs` they are the readings of an hour, with
  `hour`, `stream` and `value`.
- The outputs are a list: a value for each queue of `--outputs` (default: `output`), or None for nothing. A shorter
  list leaves out the last ones, and [] writes nothing.
- It must depend on nothing but its arguments: no clock, no random number, no file, no order of a set. An effect on
  another system is a message to a queue, whose reader applies it with its own position in one transaction.
- `--nodes` are the numbers of twins that run it at once (default: 2,3); `--items` and `--seconds` bound what is
  explored.
"""


def join(state, inputs):
    """Pair the values of two queues in the order of arrival. One queue may be empty for a while."""
    left, right = inputs
    if left is not None:
        state["left"].append(left)
    if right is not None:
        state["right"].append(right)
    if not (state["left"] and state["right"]):
        return state, []
    return state, [[state["left"].pop(0), state["right"].pop(0)]]
