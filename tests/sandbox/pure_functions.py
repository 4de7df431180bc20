"""Functions (state, inputs) → (state, outputs), pure and not, as a learner would write them into a file."""

import datetime
import functools
import itertools
import random
import sys

CALLS, SEEN = itertools.count(), set()


def total(state, inputs):
    """Add up <all> & report."""
    state += sum(value or 0 for value in inputs)
    return state, [state, "big" if state > 20 else None]


def deduplicate(state, inputs):
    (value,) = inputs
    return (state, []) if value in state else ([*state, value], [value])


def changes_its_arguments(state, inputs):
    state.append(inputs.pop())
    return state, [len(state)]


def mean(state, readings):
    return state, [sum(one.value for one in readings) / len(readings)]


def sink(state, inputs):
    return state + inputs[0], []


def rolls_dice(state, inputs):
    return state, [random.random()]


def counts_its_calls(state, inputs):
    return state, [next(CALLS)]


def remembers(state, inputs):
    new = inputs[0] not in SEEN
    SEEN.add(inputs[0])
    return state, [new]


def in_the_order_of_a_set(state, inputs):
    return state, [list({"a", "b", "c", "d", "e"})]


def never_ends(state, inputs):
    while True:
        pass


def divides_by_zero(state, inputs):
    return state, [1 / 0]


def returns_its_state(state, inputs):
    return state


def returns_three(state, inputs):
    return state, [1, 2, 3]


def returns_text(state, inputs):
    return state, "ab"


def returns_an_object(state, inputs):
    return state, [object()]


def takes_one(state):
    return state, []


def does_not_expect_none(state, inputs):
    left, right = inputs
    return state + left, [(right or 0) + left]


@functools.lru_cache
def fibonacci(number):
    return number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)


def keeps_a_cache(state, inputs):
    return state, [fibonacci(inputs[0])]


def is_plain(state, inputs):
    return state, [inputs[0]]


def asks_the_year(state, inputs):
    return state, [datetime.datetime.now().year]


def changes_its_mind_later(state, inputs):
    return state, [next(CALLS) >= 10]


def leaves(state, inputs):
    sys.exit("enough")


async def is_async(state, inputs):
    return state, []
