"""Answers to the gap 11-aside."""

from tests.course.answers import Answers

answers = Answers("11-aside", "from copy import deepcopy")

answers.right(
    "the copy is kept",
    ("function(deepcopy(state), inputs)", "function(state, inputs)"),
    ("try:", "before = deepcopy(state)\n        try:"),
    ("return state, [None, inputs]", "return before, [None, inputs]"),
)

answers.wrong(
    "without a copy",
    ("function(deepcopy(state), inputs)", "function(state, inputs)"),
    reason="leaves the state {'seen': [3, 0]}",
)

# The list within the state is not copied.
answers.wrong(
    "a shallow copy",
    ("deepcopy(state)", "None if state is None else dict(state)"),
    reason="leaves the state {'seen': [3, 0]}",
)

answers.wrong("drops the input", ("[None, inputs]", "[None, None]"), reason="has the outputs [None, None]")

answers.wrong("a letter alone", ("[None, inputs]", "[inputs]"), reason="has the outputs [[0]]")

answers.wrong("no second output", ("[*outputs, None]", "outputs"), reason="right is ['1 orders, 4 each', None]")

answers.wrong(
    "begins anew", ("return state, [None, inputs]", "return None, [None, inputs]"), reason="leaves the state None"
)

answers.wrong("does not catch", ("except Exception", "except ValueError"), reason="your function fails with")

answers.wrong("one error only", ("except Exception", "except ZeroDivisionError"), reason="the inputs ['x']")
